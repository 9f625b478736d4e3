/** The workflows: pinned to commits, with minimal permissions, in the order of a first run; and the roles that they assume. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { accountId, region } from './resolved.ts';
import { everything, existing, ofTable } from './stages.ts';
import { synthesized } from './synthesized.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
describe.each(workflows)('$name', ({ text }) => {
  it('pins third-party actions to a commit and names the version', () => {
    const used = [...text.matchAll(/uses: *(.+)/g)].map(([, what = '']) => what);
    const foreign = used.filter((what) => !what.startsWith('./'));
    expect(used.length).toBeGreaterThan(0);
    for (const what of foreign) expect(what).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('reads the code by default, and has no write permission to it', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(text).not.toMatch(/write-all|contents: write|packages: write/);
  });

  it('stores no AWS key: it exchanges its token for a role', () => {
    expect(text).not.toMatch(/aws-access-key-id|AWS_SECRET/i);
    if (text.includes('configure-aws-credentials')) expect(text).toMatch(/id-token: write/);
  });
});

const templates = synthesized();

const role = v.looseObject({
  RoleName: v.string(),
  AssumeRolePolicyDocument: v.object({
    Statement: v.tuple([
      v.looseObject({
        Action: v.literal('sts:AssumeRoleWithWebIdentity'),
        Principal: v.strictObject({ Federated: v.string() }),
        Condition: v.unknown(),
      }),
    ]),
  }),
  Policies: v.tuple([
    v.object({
      PolicyDocument: v.object({
        Statement: v.tuple([
          v.object({
            Action: v.union([v.string(), v.array(v.string())]),
            Resource: v.union([v.string(), v.array(v.string())]),
          }),
        ]),
      }),
    }),
  ]),
});

describe.each([everything, existing])(
  'the stack `pipeline` of the stage $name',
  ({ name, pipeline, bootstrapQualifier }) => {
    const roles = () =>
      templates
        .of(name, 'IAM::Role', v.looseObject({}))
        .filter(({ stack }) => stack === 'pipeline')
        .map(({ properties }) => v.parse(role, properties));
    const bootstrapRole = (kind: string) =>
      `arn:aws:iam::${accountId}:role/cdk-${bootstrapQualifier}-${kind}-${accountId}-${region}`;

    it.each([
      [
        'deploy',
        `environment:${name}`,
        ['sts:AssumeRole'],
        ['deploy-role', 'file-publishing-role', 'lookup-role'].map(bootstrapRole),
      ],
      // It reads templates and nothing else: neither the table nor logs.
      [
        'diff',
        'ref:refs/heads/main',
        ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
        [`arn:aws:cloudformation:${region}:${accountId}:stack/masthead-${name}-*`],
      ],
    ])('lets the %s role be assumed from its place in the repository only', (kind, subject, actions, resources) => {
      const found = roles().find(({ RoleName }) => RoleName === `masthead-${name}-${kind}`);
      const [trust] = found?.AssumeRolePolicyDocument.Statement ?? [];
      expect(trust?.Condition).toEqual({
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': `repo:${pipeline?.repository}:${subject}`,
        },
      });
      const [policy] = found?.Policies ?? [];
      const [statement] = policy?.PolicyDocument.Statement ?? [];
      expect([statement?.Action].flat()).toEqual(actions);
      expect([statement?.Resource].flat()).toEqual(resources);
    });

    it(`${pipeline?.provider === 'create' ? 'creates' : 'uses'} GitHub’s identity provider`, () => {
      expect(templates.of(name, 'IAM::OIDCProvider', v.unknown())).toHaveLength(
        pipeline?.provider === 'create' ? 1 : 0,
      );
    });
  },
);

it('has no stack `pipeline` in a stage that names no repository', () => {
  for (const { name } of ofTable) expect(templates.all(name).map(({ stack }) => stack)).not.toContain('pipeline');
});

describe('a pull request', () => {
  it('gets no token of the identity provider, so that its code can assume no role', () => {
    const onPullRequest = workflows.filter(({ text }) => /^on:.*pull_request|^ {2}pull_request/m.test(text));
    expect(onPullRequest.map(({ name }) => name)).toEqual(['check.yml']);
    for (const { text } of onPullRequest) expect(text).not.toMatch(/id-token|configure-aws-credentials|DIFF_ROLE/);
  });
});

it('takes over what a deleted stack has kept, whose fixed names would stop the deployment otherwise', () => {
  const text = readFileSync(join(folder, 'deploy-stage.yml'), 'utf8');
  expect(text).toMatch(/npm run cdk -- deploy .*--import-existing-resources/);
});

describe('the smoke test of a deployment', () => {
  const text = readFileSync(join(folder, 'deploy-stage.yml'), 'utf8');
  const script = text.slice(text.indexOf('run: |', text.indexOf('name: Smoke test'))).replace(/^run: \|\n/, '');
  const run = (key: string) => {
    const place = mkdtempSync(join(tmpdir(), 'masthead-smoke-'));
    for (const [name, content] of [
      ['npm', '#!/bin/sh\necho "npm $*"\n'],
      ['jq', '#!/bin/sh\necho https://api.example/dev/ghost/api\n'],
    ] as const) {
      writeFileSync(join(place, name), content);
      chmodSync(join(place, name), 0o755);
    }
    const env = { PATH: `${place}:${process.env.PATH}`, STAGE: 'dev', MASTHEAD_KEY: key };
    const { status, stdout } = spawnSync('bash', ['-e', '-c', script], { encoding: 'utf8', env });
    rmSync(place, { recursive: true });
    return { status, stdout };
  };

  it('comes after the deployment', () => {
    expect(text.indexOf('name: Smoke test')).toBeGreaterThan(text.indexOf('npm run cdk -- deploy'));
  });

  it('runs against the deployed URL with the key', () => {
    expect(run('id:secret')).toEqual({ status: 0, stdout: 'npm run smoke -- https://api.example/dev/ghost/api\n' });
  });

  it('fails the first run, which has no key yet, with the steps that create one', () => {
    const { status, stdout } = run('');
    expect(status).toBe(1);
    expect(stdout).toContain("run 'npm run ops -- seed --stage dev', store the key as SMOKE_KEY");
  });
});
