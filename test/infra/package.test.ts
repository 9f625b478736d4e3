/** The package as a team installs it: its three examples synthesize with it and pass cdk-nag, and its command runs. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { contract } from '../../shared/contract.ts';
import { run, teamApp } from './team-app.ts';

const app = await teamApp();
afterAll(() => app.remove());

const manifest = v.object({ dependencies: v.record(v.string(), v.string()), engines: v.object({ node: v.string() }) });
const template = v.object({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string() })),
});

const synthesized = async (example: string) => {
  const outdir = join(app.folder, `${example}.out`);
  const files = await app.synthesize(example, outdir);
  return files.map((file) =>
    Object.values(v.parse(template, JSON.parse(readFileSync(join(outdir, file), 'utf8'))).Resources),
  );
};

const ops = async (...args: readonly string[]): Promise<string> => {
  const file = join(app.installed, 'lib/js/ops.js');
  const env = { PATH: process.env.PATH, HOME: app.folder, AWS_EC2_METADATA_DISABLED: 'true' };
  const { stdout, stderr } = await run(process.execPath, [file, ...args], { cwd: app.folder, env }).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  );
  return stdout + stderr;
};

describe('an app with the package', () => {
  it.each([
    ['smallest', 8, 1],
    ['existing-vpc-and-key', 10, 1],
    ['two-publications', 16, 2],
  ])(
    'synthesizes the example %s without a finding of cdk-nag: %i stacks, of %i stages',
    async (example, stacks, stages) => {
      const found = await synthesized(example);
      expect(found).toHaveLength(stacks);
      const functions = found.flat().filter(({ Type }) => Type === 'AWS::Lambda::Function');
      // One more checks the release.
      expect(functions).toHaveLength(stages * (contract.length + 1));
    },
  );

  it('is judged: a queue of the team without encryption in transit is a finding', async () => {
    const insecure = `import { App, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
new Queue(new Stack(new App(), 'Insecure'), 'Queue');`;
    writeFileSync(join(app.folder, 'insecure.ts'), insecure);
    await expect(app.synthesize('insecure', join(app.folder, 'insecure.out'))).rejects.toThrow('SQS');
    rmSync(join(app.folder, 'insecure.ts'));
  });

  it('compiles in strict mode, which also checks the types of the package and of the CDK', async () => {
    const compiler = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck', 'false'];
    const examples = readdirSync(app.folder).filter((file) => file.endsWith('.ts'));
    expect(examples).toHaveLength(3);
    await run(join(app.folder, 'node_modules/typescript/bin/tsc'), [...compiler, ...examples], { cwd: app.folder });
  });

  it('installs nothing but valibot and the CDK, and no source map', () => {
    const { dependencies } = v.parse(manifest, JSON.parse(readFileSync(join(app.installed, 'package.json'), 'utf8')));
    expect(Object.keys(dependencies)).toEqual(['valibot']);
    const files = readdirSync(app.installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(readFileSync(join(app.installed, 'licences.txt'), 'utf8')).toMatch(/^undici \d/m);
  });

  it('has the command ops, which names itself as its users call it', async () => {
    expect(await ops('seed', '--help')).toContain('npx ops seed --stage dev');
    for (const help of [await ops('seed', '--help'), await ops('webhooks', 'list', '--help')])
      expect(help).not.toMatch(/npm run|stages\.ts|default: "local"/);
  });

  it('says which variable leads to the stage when there is no AWS profile', async () => {
    const printed = await ops('seed', '--stage', 'webhooks', '--owner', 'ada@fieldnotes.press', '--name', 'Ada');
    expect(printed).toContain('export AWS_REGION=eu-central-1');
  });
});
