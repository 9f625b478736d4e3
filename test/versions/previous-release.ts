/** The release that runs beside this one while a deployment shifts traffic: its revision, and its functions. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, bundlerFiles } from '../../infra/cdk/bundle.ts';
import { cached, root } from '../../infra/cdk/cache.ts';

/** The revision of the previous release. docs/formats.md explains when to change it. */
export const previousRelease = '368490bfb1e3348f26d0a711c602422c1d238faf';

/** Returns why its sources cannot be read, in one line; undefined if they can. */
export const whyMissing = (): string | undefined => {
  try {
    execFileSync('git', ['cat-file', '-e', `${previousRelease}^{commit}`], { cwd: root, stdio: 'ignore' });
    return undefined;
  } catch {
    return `Skipped: the previous release ${previousRelease.slice(0, 7)} is not in this clone. Fetch the whole history: git fetch --unshallow`;
  }
};

/** Its functions, without those of the documentation page, which need more files and store nothing. */
const sources = ['functions', 'shared'];

/**
 * Bundles its functions with the packages that are installed here, or returns them from the cache.
 * @returns the folder with a bundle for each function
 */
export const bundlePreviousRelease = (): Promise<string> =>
  cached(
    'releases',
    { folders: [], files: bundlerFiles, key: JSON.stringify([previousRelease, bundleOptions('', [])]) },
    async (folder) => {
      const checkout = join(folder, 'sources');
      mkdirSync(checkout, { recursive: true });
      const archive = execFileSync('git', ['archive', '--format=tar', previousRelease, ...sources], {
        cwd: root,
        maxBuffer: 64 * 1024 * 1024,
      });
      execFileSync('tar', ['-x', '-C', checkout], { input: archive });
      const names = readdirSync(join(checkout, 'functions'), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.startsWith('openapi/'))
        .map((file) => file.slice(0, -'.ts'.length));
      await build({ ...bundleOptions(checkout, names), outdir: folder });
    },
  );
