/** What `cdk deploy` refuses before it changes anything: placeholders, and credentials of another account. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenStages } from '../../infra/cdk/chosen-stages.ts';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import type { StageInput } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { synthesize } from '../../infra/cdk/synthesize.ts';
import { listen } from '../../infra/emulator/loopback.ts';
import { ops } from '../../infra/ops/program.ts';
import { accountId, region } from './resolved.ts';
import { emptyBundles } from './stages.ts';

const root = join(import.meta.dirname, '../..');

const edited: StageInput = {
  account: accountId,
  region,
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { from: 'desk@fieldnotes.press' },
  bootstrapQualifier: 'press1',
};

const folders: string[] = [];
const assemblyOf = async (name: string, input: StageInput): Promise<string> => {
  const bundles = emptyBundles();
  const outdir = mkdtempSync(join(tmpdir(), 'masthead-deploy-'));
  folders.push(outdir);
  await synthesize([parseStage(name, input)], bundles, { checked: false, outdir });
  bundles.remove();
  return outdir;
};
let ofProd: Promise<string> | undefined;
const assemblyOfProd = (): Promise<string> => {
  ofProd ??= assemblyOf('prod', edited);
  return ofProd;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const cdk = (assembly: string, args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const command = spawn(join(root, 'node_modules/.bin/cdk'), ['--app', assembly, '--no-notices', ...args], {
      cwd: root,
      env: {
        PATH: process.env.PATH ?? '',
        // The CDK stores there which account an access key belongs to.
        CDK_HOME: assembly,
        HOME: assembly,
        CDK_DISABLE_CLI_TELEMETRY: 'true',
        AWS_EC2_METADATA_DISABLED: 'true',
        ...env,
      },
    });
    let output = '';
    for (const stream of [command.stdout, command.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    command.on('error', reject);
    command.on('close', (code) => resolve({ code, output }));
  });

describe('cdk deploy', () => {
  let requests: string[];
  const sts = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const action = new URLSearchParams(body).get('Action') ?? '';
      requests.push(action);
      response.setHeader('content-type', 'text/xml');
      if (action !== 'GetCallerIdentity') {
        response.statusCode = 403;
        response.end('<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code></Error></ErrorResponse>');
        return;
      }
      response.end(
        '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult>' +
          '<Arn>arn:aws:iam::222222222222:user/dev</Arn><UserId>AIDA</UserId><Account>222222222222</Account>' +
          '</GetCallerIdentityResult><ResponseMetadata>' +
          '<RequestId>1</RequestId></ResponseMetadata></GetCallerIdentityResponse>',
      );
    });
  });
  let credentials: Record<string, string>;
  beforeAll(async () => {
    const { origin } = await listen(sts);
    credentials = {
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL: origin,
      AWS_REGION: region,
    };
  });
  afterAll(() => {
    sts.close();
  });

  it('refuses a stage with placeholders, and lists what to set', async () => {
    requests = [];
    const assembly = await assemblyOf('dev', stages.dev);
    const { code, output } = await cdk(assembly, ['deploy', 'dev/*', '--require-approval', 'never'], credentials);
    expect(code).not.toBe(0);
    expect(output).toContain('The stage dev cannot be deployed yet. Edit infra/cdk/stages.ts:');
    expect(output).toContain('account is missing: set the id of its AWS account');
    expect(output).toContain('publication.url is "https://dev.example.org": set your own');
    expect(output).toContain('mail.from is "desk@dev.example.org": set your own');
    // At most, it requested the identity of the credentials.
    expect(requests.filter((action) => action !== 'GetCallerIdentity')).toEqual([]);
  });

  it('refuses credentials of an account other than the stage’s', async () => {
    requests = [];
    const assembly = await assemblyOfProd();
    const { code, output } = await cdk(assembly, ['deploy', 'prod/*', '--require-approval', 'never'], credentials);
    expect(code).not.toBe(0);
    expect(output).toContain('current credentials (which are for account 222222222222)');
    // It requested a role in the stage's account, and did nothing with its own credentials.
    expect([...new Set(requests)].sort()).toEqual(['AssumeRole', 'GetCallerIdentity']);
  });

  it('allows an offline synth of a stage with placeholders', async () => {
    const { scripts } = v.parse(
      v.object({ scripts: v.object({ synth: v.string() }) }),
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
    );
    expect(scripts.synth).toContain('-c placeholders=true');
    const context = process.env.CDK_CONTEXT_JSON;
    process.env.CDK_CONTEXT_JSON = JSON.stringify({ placeholders: 'true' });
    try {
      const assembly = await assemblyOf('dev', stages.dev);
      expect(await cdk(assembly, ['synth', '--quiet', '**'])).toMatchObject({ code: 0 });
    } finally {
      if (context === undefined) delete process.env.CDK_CONTEXT_JSON;
      else process.env.CDK_CONTEXT_JSON = context;
    }
  });
});

describe('the CDK app', () => {
  const names = (chosen?: string) => chosenStages(chosen).map(({ name }) => name);

  it('contains all stages that can be deployed', () => {
    expect(names()).toEqual(['dev', 'prod']);
  });

  it('contains only the stage that STAGE names, even if that is local', () => {
    expect(names('prod')).toEqual(['prod']);
    expect(names('local')).toEqual(['local']);
  });
});

it('every stack is tagged with the application and the stage, which appear on the bill', async () => {
  const assembly = await assemblyOfProd();
  const manifest = v.parse(
    v.object({
      artifacts: v.record(
        v.string(),
        v.looseObject({
          type: v.string(),
          properties: v.looseObject({ tags: v.optional(v.record(v.string(), v.string())) }),
        }),
      ),
    }),
    JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8')),
  );
  const stacks = Object.values(manifest.artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');
  expect(stacks).toHaveLength(8);
  for (const { properties } of stacks) expect(properties.tags).toEqual({ application: 'masthead', stage: 'prod' });
});

it('deploys every stack with the roles of the stage’s bootstrap', async () => {
  const assembly = await assemblyOfProd();
  const { artifacts } = v.parse(
    v.object({ artifacts: v.record(v.string(), v.looseObject({ type: v.string(), properties: v.unknown() })) }),
    JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8')),
  );
  const stacks = Object.values(artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');
  expect(stacks).toHaveLength(8);
  for (const { properties } of stacks) {
    expect(properties).toMatchObject({
      assumeRoleArn: expect.stringContaining('/cdk-press1-deploy-role-'),
      bootstrapStackVersionSsmParameter: '/cdk-bootstrap/press1/version',
    });
  }
});

describe('docs/operations.md, with which somebody on call ends an incident', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text).join('\n');

  it.each([
    ['a bad deploy', 'A bad deploy'],
    ['a table that throttles', 'Table throttles'],
    ['a message that fails again and again', 'Dead letters'],
    ['mail that SES has stopped', 'SES is paused'],
    ['a key that leaked', 'A leaked key'],
  ])('has a section about %s, which its first table names', (_incident, heading) => {
    const anchor = heading.toLowerCase().replaceAll(' ', '-');
    expect(page.split('\n')).toContain(`### ${heading}`);
    expect(page.slice(0, page.indexOf('\n## '))).toContain(`(#${anchor})`);
  });

  it('sets the region as the AWS CLI reads it, and says where a key comes from, before the first command', () => {
    const before = page.slice(0, page.indexOf('\n## '));
    expect(before).toContain('AWS_REGION=');
    expect(before).toContain('MASTHEAD_KEY=');
    expect(before).toContain('--another-key');
    expect(page).not.toMatch(/\$REGION\b|[^_]REGION=/);
  });

  it('has no command with a part left out', () => {
    expect(commands).not.toContain('…');
    for (const [, url = ''] of page.matchAll(/--queue-url (\S+)/g)) expect(url).toMatch(/^"?\$/);
  });

  it('sets every variable that its commands use', () => {
    const used = [...page.matchAll(/"?\$([A-Za-z_]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'LATEST');
    const missing = used.filter((name) => !new RegExp(`\\b${name}=|for ${name} in`).test(page));
    expect([...new Set(missing)]).toEqual([]);
  });

  it('uses only commands that exist', () => {
    const used = [...page.matchAll(/npm run ops -- ([\w-]+)/g)].map(([, name = '']) => name);
    const known = ops.commands.map((one) => one.name());
    expect([...new Set(used)].filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('docs/first-deploy.md', () => {
  const guide = readFileSync(join(root, 'docs/first-deploy.md'), 'utf8');
  const { scripts } = v.parse(
    v.object({ scripts: v.record(v.string(), v.string()) }),
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
  );

  it('uses only commands, files and outputs that exist', () => {
    const used = [...guide.matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(used).toContain('smoke');
    expect(used.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const links = [...guide.matchAll(/\]\(([\w./-]+)(?:#[\w-]+)?\)/g)].map(([, file = '']) => file);
    expect(links.filter((file) => !existsSync(join(root, 'docs', file)))).toEqual([]);
  });

  it('follows the order of a first run: doctor, deploy, seed, the key, proof, a mail to read', () => {
    const order = [
      'ops -- doctor',
      "deploy 'dev/*'",
      'npm run ops -- seed',
      'MASTHEAD_KEY=',
      'ops -- prove',
      'npm run smoke',
    ].map((text) => guide.indexOf(text));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

it('README has doctor before the first deployment, and says how long it takes and what it costs', () => {
  const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## Deploy it\n');
  const order = ['ops -- doctor', 'cdk -- bootstrap', "deploy 'dev/*'", 'quarter of an hour', 'a dollar a month'];
  const places = order.map((text) => section.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
