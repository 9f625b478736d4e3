/** The workflows have pinned actions, minimal permissions and an order; their roles are assumed from one place only. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { groupOf } from '../../infra/cdk/function-groups.ts';
import { contract } from '../../shared/contract.ts';
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

  it('can read the code by default, but not write it', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    expect(text).not.toMatch(/write-all|contents: write|packages: write/);
  });

  it('stores no AWS key, and exchanges its token for a role instead', () => {
    expect(text).not.toMatch(/aws-access-key-id|AWS_SECRET\w*:|secrets\.AWS/i);
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
    ])('allows only its place on the branch main to assume the %s role', (kind, subject, actions, resources) => {
      const found = roles().find(({ RoleName }) => RoleName === `masthead-${name}-${kind}-${region}`);
      const [trust] = found?.AssumeRolePolicyDocument.Statement ?? [];
      expect(trust?.Condition).toEqual({
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': `repo:${pipeline?.repository}:${subject}`,
          // A workflow on any branch can name an environment, and its subject would then be the same.
          'token.actions.githubusercontent.com:ref': 'refs/heads/main',
        },
      });
      const [policy] = found?.Policies ?? [];
      const [statement] = policy?.PolicyDocument.Statement ?? [];
      expect([statement?.Action].flat()).toEqual(actions);
      expect([statement?.Resource].flat()).toEqual(resources);
    });

    it(`${pipeline?.provider === 'create' ? 'creates and leaves behind' : 'uses'} GitHub’s identity provider`, () => {
      const found = templates.of(name, 'IAM::OIDCProvider', v.unknown());
      // Other roles may trust it.
      expect(found.map((one) => [one.deletionPolicy, one.updateReplacePolicy])).toEqual(
        pipeline?.provider === 'create' ? [['RetainExceptOnCreate', 'Retain']] : [],
      );
    });

    it('has role names that a stage of the same name in another region does not have', () => {
      expect(roles().map(({ RoleName }) => RoleName)).toEqual([
        `masthead-${name}-deploy-${region}`,
        `masthead-${name}-diff-${region}`,
      ]);
    });
  },
);

it('a stage that names no repository has no stack `pipeline`', () => {
  for (const { name } of ofTable) expect(templates.all(name).map(({ stack }) => stack)).not.toContain('pipeline');
});

describe('a pull request', () => {
  it('gets no token of the identity provider, so that its code cannot assume a role', () => {
    const onPullRequest = workflows.filter(({ text }) => /^on:.*pull_request|^ {2}pull_request/m.test(text));
    expect(onPullRequest.map(({ name }) => name)).toEqual(['check.yml']);
    for (const { text } of onPullRequest) expect(text).not.toMatch(/id-token|configure-aws-credentials|DIFF_ROLE/);
  });
});

it('the diff of each stage uses the role of that stage, because a role reads no other stage', () => {
  const text = readFileSync(join(folder, 'deploy.yml'), 'utf8');
  const diff = text.slice(text.indexOf('\n  diff:'), text.indexOf('\n  dev:'));
  const uses = [...diff.matchAll(/- stage: (.+)\n +role: \$\{\{ vars\.(.+) \}\}/g)].map(([, ...use]) => use);
  expect(uses).toEqual([
    ['dev', 'DIFF_ROLE_ARN_DEV'],
    ['prod', 'DIFF_ROLE_ARN_PROD'],
  ]);
  expect(diff).toMatch(/role-to-assume: \$\{\{ matrix\.role \}\}/);
  expect(diff.match(/cdk -- diff .*/g)).toEqual([expect.stringContaining(' "$STAGE/*" ')]);
});

it('a deployment takes over resources that a deleted stack has kept, because their names are taken', () => {
  const deployments = workflows.flatMap(({ text }) => text.match(/npm run cdk -- deploy .*/g) ?? []);
  // The release, and the last one that passed in place of one that failed.
  expect(deployments).toHaveLength(2);
  for (const deployment of deployments) expect(deployment).toContain(' --import-existing-resources ');
});

const deployStage = readFileSync(join(folder, 'deploy-stage.yml'), 'utf8');

it('the limit of a deployment covers one with canaries, and the one that takes it back', () => {
  const [, minutes] = /^ {2}deploy:[\s\S]*?timeout-minutes: (\d+)/m.exec(deployStage) ?? [];
  // Stacks with canaries are deployed one after the other.
  const groups = new Set(contract.filter(({ canary }) => canary).map(groupOf));
  const [stacks, canaries, npm] = [20, groups.size * 5, 5];
  expect(Number(minutes)).toBeGreaterThanOrEqual(npm + stacks + canaries + npm + stacks);
});

it('the runbook for a bad deploy switches back every function that has an alias', () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const [, switched = ''] = /for f in ([a-z -]+); do/.exec(page) ?? [];
  const aliased = contract.filter(({ canary }) => canary).map((line) => line.function.replaceAll('/', '-'));
  expect(switched.split(' ').toSorted()).toEqual(aliased.toSorted());
});

/** Runs a step's script of `deploy-stage.yml` with stand-ins for the runner's programs; `outputs` are the step's. */
const runStep = (name: string, programs: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) => {
  const [, script = ''] = deployStage.slice(deployStage.indexOf(`name: ${name}`)).split(/run: \|\n|\n {6}[-#] /, 2);
  const place = mkdtempSync(join(tmpdir(), 'masthead-step-'));
  for (const [program, content] of Object.entries(programs)) {
    writeFileSync(join(place, program), `#!/bin/sh\n${content}\n`);
    chmodSync(join(place, program), 0o755);
  }
  const output = join(place, 'outputs');
  writeFileSync(output, '');
  const { status, stdout } = spawnSync('bash', ['-e', '-c', script], {
    encoding: 'utf8',
    env: { PATH: `${place}:${process.env.PATH}`, STAGE: 'dev', GITHUB_OUTPUT: output, ...env },
  });
  const outputs = readFileSync(output, 'utf8');
  rmSync(place, { recursive: true });
  return { status, stdout, outputs };
};

describe('a release whose smoke test fails', () => {
  /** The deployments of the stage, newest first, with the states that each had. */
  const find = (deployments: readonly (readonly [sha: string, ...states: string[]])[]) => {
    const states = deployments.map(([, ...of], id) => `*/${id}/statuses*) printf '${of.join('\\n')}\\n' ;;`);
    const list = deployments.map(([sha], id) => `${id}:${sha}`).join('\\n');
    const gh = `case "$2" in\n${states.join('\n')}\n*environment=dev*) printf '${list}\\n' ;;\nesac`;
    return runStep('Find the last release that passed', { gh }, { GITHUB_REPOSITORY: 'press/masthead' });
  };

  it('is replaced by the last release that passed it', () => {
    const { status, outputs } = find([
      ['c3', 'in_progress'],
      ['c2', 'failure', 'in_progress'],
      ['c1', 'inactive', 'success', 'in_progress'],
      ['c0', 'success'],
    ]);
    expect([status, outputs]).toEqual([0, 'sha=c1\n']);
  });

  it('stays if it is the first release', () => {
    const { status, stdout, outputs } = find([['c1', 'in_progress']]);
    expect([status, outputs]).toEqual([0, '']);
    expect(stdout).toContain('No release of dev has passed the smoke test yet');
  });

  it('is replaced even while its alarms are active, and the run fails', () => {
    expect(deployStage).toMatch(/ref: \$\{\{ steps\.last\.outputs\.sha \}\}/);
    expect(deployStage).toMatch(/npm run cdk -- synth "\$STAGE\/\*" -c ignoreAlarms=true --quiet .*built\/last"/);
    const rollback = deployStage.slice(deployStage.indexOf('name: Deploy the last release that passed'));
    expect(rollback).toMatch(/if: failure\(\) && steps\.smoke\.outputs\.ran == 'yes'/);
    expect(rollback).toMatch(/npm run cdk -- deploy "\$STAGE\/\*" --app built\/last --import-existing-resources/);
  });
});

it('is built by a job without a token of AWS, and deployed by one that builds and runs no package', () => {
  const [, build = '', deploy = ''] = deployStage.split(/^ {2}(?:build|deploy):$/m);
  expect(build).toContain('npm run cdk -- synth');
  expect(build).not.toMatch(/id-token|configure-aws-credentials|environment: \$|secrets\./);
  expect(deploy.match(/npm ci.*/g)).toEqual(['npm ci --ignore-scripts']);
  expect(deploy.match(/cdk -- .*/g)?.every((command) => / deploy .* --app built\//.test(command))).toBe(true);
});

describe('the smoke test of a deployment', () => {
  const text = deployStage;
  const programs = { npm: 'echo "npm $*"', jq: 'echo https://api.example/dev/ghost/api' };
  const run = (key: string) => runStep('Smoke test', programs, { MASTHEAD_KEY: key });

  it('runs after the deployment', () => {
    expect(text.indexOf('name: Smoke test')).toBeGreaterThan(text.indexOf('npm run cdk -- deploy'));
  });

  it('uses the deployed URL and the key', () => {
    expect(run('id:secret')).toEqual({
      status: 0,
      stdout: 'npm run smoke -- https://api.example/dev/ghost/api\n',
      // If the smoke test has no key, nothing is rolled back, because the release is not at fault.
      outputs: 'ran=yes\n',
    });
  });

  it('fails in the first run, which has no key yet, and prints the steps that create one', () => {
    const { status, stdout, outputs } = run('');
    expect([status, outputs]).toEqual([1, '']);
    expect(stdout).toContain(
      'make the key of a smoke integration (docs/operations.md, Pipeline), store it as SMOKE_KEY',
    );
  });
});
