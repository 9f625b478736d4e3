/** A team's app: a folder outside the repository with the package installed, beside the apps of docs/examples. */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../infra/cdk/root.ts';
import { contract } from '../../shared/contract.ts';

export const run = promisify(execFile);

export interface TeamApp {
  readonly folder: string;
  readonly installed: string;
  /** Synthesizes an example with cdk-nag's rules; returns its templates' names. @throws if a finding has no reason */
  synthesize(example: string, outdir: string): Promise<string[]>;
  /** Makes the package another release: another version, and other code in every function. */
  release(version: string): void;
  remove(): void;
}

const nag = `import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';

const { synth } = App.prototype;
App.prototype.synth = function (options) {
  Validations.of(this).addPlugins(new AwsSolutionsChecks(this), new ServerlessChecks(this));
  return synth.call(this, options);
};
`;

/** Makes the package and installs it, with the repository's own CDK. */
export const teamApp = async (): Promise<TeamApp> => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-team-'));
  const installed = join(folder, 'node_modules/masthead');
  const { stdout } = await run(process.execPath, [join(root, 'infra/local/package.ts'), '--to', folder], { cwd: root });
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', stdout.trim(), '-C', installed, '--strip-components', '1']);
  for (const name of ['aws-cdk-lib', 'cdk-nag', 'constructs', 'valibot', 'typescript'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  cpSync(join(installed, 'docs/examples'), folder, { recursive: true });
  writeFileSync(join(folder, 'nag.mjs'), nag);
  return {
    folder,
    installed,
    async synthesize(example, outdir) {
      const env = { PATH: process.env.PATH, CDK_OUTDIR: outdir };
      await run(process.execPath, ['--import', './nag.mjs', `${example}.ts`], { cwd: folder, env });
      return readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((file) =>
        file.endsWith('.template.json'),
      );
    },
    release(version) {
      const file = join(installed, 'package.json');
      const manifest: object = JSON.parse(readFileSync(file, 'utf8'));
      writeFileSync(file, JSON.stringify({ ...manifest, version }));
      for (const { function: name } of contract)
        appendFileSync(join(installed, 'bundles', name, 'index.mjs'), `// ${version}\n`);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
