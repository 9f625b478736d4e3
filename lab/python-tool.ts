/** Installs a pinned Python package from PyPI into its own virtual environment, for tools that need Python. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../node_modules/.cache/masthead');

interface Package {
  /** Name on PyPI, with extras such as `moto[server]`. */
  readonly name: string;
  readonly version: string;
}

/** Returns the folder of the package's programs, installed once; undefined, with a printed reason, if it can't be. */
export const pythonTool = ({ name, version }: Package): string | undefined => {
  const python = ['python3', 'python'].find(
    (program) => spawnSync(program, ['-c', 'import venv, ensurepip']).status === 0,
  );
  if (python === undefined) {
    console.log(`${name} ${version} cannot be installed: this machine has no Python 3 with venv.`);
    return undefined;
  }
  const folder = join(cache, `${name.replace(/\[.*/, '')}-${version}`);
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const installed = join(folder, 'installed');
  if (existsSync(installed)) return bin;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [program, ...args] of [
    [python, '-m', 'venv', folder],
    [join(bin, 'pip'), 'install', '--quiet', '--disable-pip-version-check', `${name}==${version}`],
  ] as const) {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) {
      console.log(`${name} ${version} cannot be installed: ${stderr.trim().split('\n').at(-1)}`);
      return undefined;
    }
  }
  writeFileSync(installed, '');
  return bin;
};
