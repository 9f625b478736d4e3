/** The package as a team installs it: its three examples synthesize with it, and its command runs. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../infra/cdk/root.ts';
import { contract } from '../../shared/contract.ts';

const run = promisify(execFile);
const app = mkdtempSync(join(tmpdir(), 'masthead-team-'));
const installed = join(app, 'node_modules/masthead');
beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(root, 'infra/local/package.ts'), '--to', app], { cwd: root });
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components', '1']);
  for (const name of ['aws-cdk-lib', 'constructs', 'valibot', 'typescript'])
    symlinkSync(join(root, 'node_modules', name), join(app, 'node_modules', name));
  cpSync(join(installed, 'docs/examples'), app, { recursive: true });
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

const manifest = v.object({ dependencies: v.record(v.string(), v.string()), engines: v.object({ node: v.string() }) });
const template = v.object({
  Resources: v.record(v.string(), v.looseObject({ Type: v.string(), Metadata: v.optional(v.looseObject({})) })),
});

/** Synthesizes an example and returns the resources of each stack with its file name. */
const synthesized = async (example: string) => {
  const outdir = join(app, `${example}.out`);
  await run(process.execPath, [`${example}.ts`], { cwd: app, env: { PATH: process.env.PATH, CDK_OUTDIR: outdir } });
  const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => Object.values(v.parse(template, JSON.parse(readFileSync(join(outdir, file), 'utf8'))).Resources));
};

describe('an app with the package', () => {
  it.each([
    ['smallest', 8, 1],
    ['existing-key', 10, 1],
    ['two-publications', 16, 2],
  ])('synthesizes the example %s: %i stacks, of %i stages', async (example, stacks, stages) => {
    const found = await synthesized(example);
    expect(found).toHaveLength(stacks);
    const functions = found.flat().filter(({ Type }) => Type === 'AWS::Lambda::Function');
    // One more checks the release.
    expect(functions).toHaveLength(stages * (contract.length + 1));
  });

  it('compiles in strict mode with the types of the package', async () => {
    const compiler = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    const examples = readdirSync(app).filter((file) => file.endsWith('.ts'));
    expect(examples).toHaveLength(3);
    await run(join(app, 'node_modules/typescript/bin/tsc'), [...compiler, ...examples], { cwd: app });
  });

  it('installs nothing but valibot and the CDK, and no source map', () => {
    const { dependencies } = v.parse(manifest, JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')));
    expect(Object.keys(dependencies)).toEqual(['valibot']);
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(readFileSync(join(installed, 'licences.txt'), 'utf8')).toMatch(/^undici \d/m);
  });

  it('has the command ops, which names itself as its users call it', async () => {
    const { stdout } = await run(process.execPath, [join(installed, 'lib/js/ops.js'), 'seed', '--help'], { cwd: app });
    expect(stdout).toContain('npx ops seed --stage dev');
    expect(stdout).not.toContain('npm run');
    expect(stdout).not.toContain('stages.ts');
  });
});
