/** `npm run ops -- seed` and `staff hand-over`, with a Lambda client that runs the function on the embedded parts. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { freshStack } from '../support/parts.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const stack = await freshStack();
const home = temporaryHome();
let failure: string | undefined;
let invoked: string[];
const commands = ['setup/seed', 'setup/hand-over', 'setup/change-address'] as const;
const lambda = createServer(async (request, response) => {
  const [, name = ''] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? [];
  invoked.push(name);
  const event = JSON.parse(await text(request));
  const target = commands.find((one) => name === `masthead-dev-${one.replace('/', '-')}`);
  if (target === undefined) {
    response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' });
    response.end(JSON.stringify({ Message: `Function not found: ${name}` }));
  } else if (failure !== undefined) {
    response.setHeader('x-amz-function-error', 'Unhandled');
    response.end(JSON.stringify({ errorMessage: failure }));
    failure = undefined;
  } else response.end(JSON.stringify(await stack.invoke(target, event)));
});

const { origin } = await listen(lambda);
afterAll(() => {
  lambda.close();
  home.remove();
});
beforeEach(() => {
  invoked = [];
});

const environment = {
  AWS_ENDPOINT_URL_LAMBDA: origin,
  AWS_ACCESS_KEY_ID: 'ops',
  AWS_SECRET_ACCESS_KEY: 'ops',
  MASTHEAD_HOME: home.folder,
};
const ops = (...args: string[]) => runScript('infra/ops/ops.ts', args, environment);
const seed = (...args: string[]) => ops('seed', '--stage', 'dev', ...args);
const ada = ['--owner', 'ada@example.org', '--name', 'Ada'];
const keyIn = (output: string) => /\b[0-9a-f]{24}:[0-9a-f]{64}\b/.exec(output)?.[0];
const file = join(home.folder, 'owner-dev.json');

test('an invalid address is refused, and nothing is written', async () => {
  const { code, output } = await seed('--owner', '.ada@example.org', '--name', 'Ada');
  expect([code, output]).toEqual([2, expect.stringMatching(/^--owner must not start or end with a dot/)]);
  expect([invoked, existsSync(file)]).toEqual([[], false]);
});

test('a failure is reported with its reason, and the generated key stays in its file', async () => {
  failure = 'the table is not there';
  const { code, output } = await seed(...ada);
  expect(output).toContain('masthead-dev-setup-seed failed: the table is not there');
  expect(code).toBe(1);
  expect(keyIn(output)).toBeUndefined();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a refusal of the first transaction names the setting that allows it', async () => {
  failure =
    'User: arn:aws:sts::111111111111:assumed-role/x/masthead-dev-setup-seed is not authorized to perform: ' +
    'dynamodb:PutItem on resource: ' +
    'arn:aws:dynamodb:eu-central-1:111111111111:table/masthead-dev because no identity-based policy allows the ' +
    'dynamodb:PutItem action';
  const { code, output } = await seed(...ada);
  expect(code).toBe(1);
  expect(output).toContain("set transactionGrants: 'union' for dev in infra/cdk/stages.ts, and deploy dev/*");
});

test('the Owner gets a working key, which is printed once, and a second run changes nothing', async () => {
  const kept = JSON.parse(readFileSync(file, 'utf8')).key.id;
  const first = await seed(...ada);
  const key = keyIn(first.output) ?? '';
  expect(first).toMatchObject({ code: 0 });
  expect(key.split(':')[0]).toBe(kept);
  expect(await stack.call('roles/list', { path: '/admin/roles/', key })).toMatchObject({ status: 200 });
  const second = await seed(...ada);
  expect(second).toMatchObject({ code: 0, output: expect.stringContaining('Nothing was changed') });
  expect(keyIn(second.output)).toBeUndefined();
  expect(await stack.call('roles/list', { path: '/admin/roles/', key })).toMatchObject({ status: 200 });
});

test('a second Owner is refused', async () => {
  const { code, output } = await seed('--owner', 'eve@example.org', '--name', 'Eve');
  expect(output).toContain('has the Owner ada@example.org. Invite others');
  expect(code).toBe(1);
  expect(invoked).toEqual([]);
});

describe('a seed without the key file of the first run', () => {
  const other = temporaryHome();
  afterAll(() => other.remove());
  const there = (...args: string[]) =>
    runScript('infra/ops/ops.ts', ['seed', '--stage', 'dev', ...args], {
      ...environment,
      MASTHEAD_HOME: other.folder,
    });

  test('changes nothing and prints the existing Owner', async () => {
    const { code, output } = await there(...ada);
    expect(output).toContain('dev already has the Owner ada@example.org, with a key that was created elsewhere.');
    expect(output).toContain('Nothing was changed. Use that key. If it is lost, --another-key creates one more.');
    expect(code).toBe(1);
    expect(readdirSync(other.folder)).toEqual([]);
  });

  test('refuses a second Owner, even with --another-key', async () => {
    const eve = ['--owner', 'eve@example.org', '--name', 'Eve'];
    for (const args of [eve, [...eve, '--another-key']])
      expect(await there(...args)).toMatchObject({
        code: 1,
        output: expect.stringContaining('Invite eve@example.org with that key'),
      });
  });

  test('gives the Owner another key with --another-key, and the first one remains valid', async () => {
    const { code, output } = await there(...ada, '--another-key');
    expect(output).toContain('ada@example.org, the Owner of dev, has one more key; existing keys remain valid.');
    expect(code).toBe(0);
    const first = JSON.parse(readFileSync(file, 'utf8')).key;
    for (const key of [keyIn(output), `${first.id}:${first.secret}`])
      expect(await stack.call('roles/list', { path: '/admin/roles/', key: key ?? '' })).toMatchObject({ status: 200 });
    expect(await there(...ada, '--another-key')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing was changed'),
    });
  });
});

test('an unknown stage and a stage that is not deployed are reported', async () => {
  const notDeployed = await ops('seed', '--stage', 'prod', ...ada);
  expect(notDeployed.output).toMatch(
    /could not be invoked: ResourceNotFoundException: .*npm run cdk -- deploy 'prod\/\*'/,
  );
  expect(notDeployed.code).toBe(1);
  const unknown = await ops('seed', '--stage', 'local', ...ada);
  expect(unknown).toMatchObject({
    code: 2,
    output: expect.stringContaining("--stage is 'local'; it must be one of dev, prod."),
  });
});

test.each([
  ['seed', ['seed', '--stage', 'dev', ...ada]],
  ['redrive', ['redrive', '--stage', 'dev']],
  ['restore', ['restore', '--stage', 'dev', '--at', '2026-11-22T09:30:00Z', '--all']],
  ['stats', ['stats', '--stage', 'dev']],
])('%s without AWS credentials says how to get some', async (_, args) => {
  const none = { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_SESSION_TOKEN: undefined };
  const elsewhere = {
    HOME: home.folder,
    AWS_EC2_METADATA_DISABLED: 'true',
    MASTHEAD_KEY: `${'a'.repeat(24)}:${'b'.repeat(64)}`,
  };
  const { code, output } = await runScript('infra/ops/ops.ts', args, { ...environment, ...none, ...elsewhere });
  expect([code, output]).toEqual([1, expect.stringMatching(/aws sso login, or export AWS_PROFILE=<profile>$/m)]);
});

test('the help lists the commands and their options', async () => {
  expect(await ops('--help')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^ {2}seed +Creates the roles and the first Owner/m),
  });
  expect(await ops('seed', '--help')).toMatchObject({ code: 0, output: expect.stringContaining('--owner') });
  expect(await ops('nonsense')).toMatchObject({
    code: 2,
    output: expect.stringContaining("Unknown command 'nonsense'"),
  });
  expect(await ops('seed', '--stage', 'dev', ...ada, '--what')).toMatchObject({
    code: 2,
    output: expect.stringContaining("Unknown option '--what'"),
  });
});

describe('staff hand-over', () => {
  const handOver = (to: string, ...more: string[]) => ops('staff', 'hand-over', to, '--stage', 'dev', ...more);

  test('makes an Administrator the Owner, and names the previous one', async () => {
    const key = { id: 'a'.repeat(24), secret: 'b'.repeat(64) };
    await stack.invoke('setup/seed', {
      staff: [{ email: 'next@example.org', name: 'Next', role: 'Administrator', key }],
    });
    const { code, output } = await handOver('next@example.org', '--yes');
    expect(output).toContain('next@example.org is the Owner of dev. ada@example.org is an Administrator now.');
    expect(code).toBe(0);
  });

  test('needs --yes where there is no terminal', async () => {
    expect([(await handOver('next@example.org')).code, invoked]).toEqual([2, []]);
  });
});

describe('staff change-address', () => {
  const changeAddress = (from: string, to: string, ...more: string[]) =>
    ops('staff', 'change-address', from, to, '--stage', 'dev', ...more);

  test('gives a member another address', async () => {
    const key = { id: 'c'.repeat(24), secret: 'd'.repeat(64) };
    await stack.invoke('setup/seed', {
      staff: [{ email: 'lost@example.org', name: 'Lost', role: 'Author', key }],
    });
    const { code, output } = await changeAddress('lost@example.org', 'found@example.org', '--yes');
    expect(output).toContain('found@example.org signs in to dev in place of lost@example.org.');
    expect(code).toBe(0);
  });

  test('needs --yes where there is no terminal', async () => {
    expect([(await changeAddress('found@example.org', 'x@example.org')).code, invoked]).toEqual([2, []]);
  });
});
