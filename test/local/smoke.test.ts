/** `npm run smoke` and `ops prove` on a running stack: they succeed where it works, report what is wrong, and remove what they made. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const smoke = 'infra/ops/smoke.ts';
const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGINT');
  home.remove();
});

test('the smoke test passes with the key of an integration, and deletes its webhook', async () => {
  const { baseUrl, integrationKey, adminKey, receiver } = running.stack;
  const first = await runScript(smoke, [baseUrl], { MASTHEAD_KEY: integrationKey });
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining(`${baseUrl} works.`) });
  for (const step of ['Deliver the event', 'Invite', 'Delete the webhook']) expect(first.output).toContain(`✓ ${step}`);
  const target = ['--target', `${receiver}/smoke`];
  const second = await runScript(smoke, [`${baseUrl}/`, ...target], { MASTHEAD_KEY: integrationKey });
  expect(second).toMatchObject({ code: 0 });
  const { text } = await running.call('GET', '/admin/integrations/?include=webhooks', { key: adminKey });
  expect(text).not.toContain('smoke');
});

test('the smoke test fails with the reason if the target returns an error', async () => {
  const { baseUrl, integrationKey } = running.stack;
  const target = `${baseUrl}/no/such/path`;
  const { code, output } = await runScript(smoke, [baseUrl, '--target', target], { MASTHEAD_KEY: integrationKey });
  expect(output).toContain('✗ Deliver the event: The target returned 404, expected 2xx');
  expect(code).toBe(1);
});

test.each([
  ['an unknown key', '0'.repeat(24).concat(':', '1'.repeat(64)), 'returned 401', 1],
  ['no key', '', 'MASTHEAD_KEY is not set. Set it to the key of an integration that may publish.', 2],
  ['a malformed key', 'secret', 'MASTHEAD_KEY does not have the form <id>:<secret>.', 2],
])('the smoke test fails with the reason for %s', async (_title, key, reason, exitCode) => {
  const { code, output } = await runScript(smoke, [running.stack.baseUrl], { MASTHEAD_KEY: key });
  expect(output).toContain(reason);
  expect(code).toBe(exitCode);
});

test('the smoke test fails without a URL', async () => {
  expect(await runScript(smoke, [])).toEqual({
    code: 2,
    output: expect.stringMatching(/^<url> is missing: .*Run with --help for usage\.\n$/),
  });
});

const ops = join(import.meta.dirname, '../../infra/ops/ops.ts');
const integrations = async () =>
  (await running.call('GET', '/admin/integrations/', { key: running.stack.adminKey })).text;

test('prove reports what the local stack shows, and what only an account can, and removes what it made', async () => {
  const { code, output } = await runScript('infra/ops/ops.ts', ['prove', '--stage', 'local'], {
    MASTHEAD_HOME: home.folder,
  });
  const results = [...output.matchAll(/^\| ([\w ]+) \| .* \| \*\*([\w ]+)\*\* \| .*$/gm)].map(([, name, result]) => [
    name,
    result,
  ]);
  const of = (result: string) => new Set(results.flatMap(([name, one]) => (one === result ? [name] : [])));
  expect(of('different')).toEqual(new Set());
  expect(of('as expected')).toEqual(
    new Set([
      'transactions',
      'console',
      'unknown path',
      'compressed body',
      'large body',
      'posts of Ghost',
      'exploit in a post',
      'delivery and delay',
      'mail',
      'redrive',
    ]),
  );
  expect(output).toContain('the local stack has no CloudWatch');
  expect(code).toBe(0);
  expect(await integrations()).not.toContain('prove-');
});

test('prove removes what it made after Ctrl-C', async () => {
  const child = spawn(process.execPath, [ops, 'prove', '--stage', 'local'], {
    env: { ...process.env, MASTHEAD_HOME: home.folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The first answer follows what was made.
  await once(child.stderr, 'data');
  expect(await integrations()).toContain('prove-');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(130);
  expect(await integrations()).not.toContain('prove-');
});
