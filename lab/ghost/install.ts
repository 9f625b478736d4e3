/** Installs a real Ghost from npm, once per version, into the user's cache folder: this takes minutes and 700 MB. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** The release that docs/ghost.md describes. */
export const ghostVersion = '6.65.0';
/** Ghost 6 runs on Node.js 22. The npm package of this name contains the program and the headers for native modules. */
const nodePackage = `node-${process.platform}-${process.arch}`;
const nodeVersion = '22';
/** A client that real users subscribe with: the piece of Activepieces. */
const clientPackage = '@activepieces/piece-ghostcms';
const clientVersion = '0.2.0';

export interface InstalledGhost {
  readonly folder: string;
  readonly node: string;
  readonly client: string;
}

const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'masthead-lab', `ghost-${ghostVersion}`);

/** Returns the installed Ghost, or the reason why it cannot be installed here. */
export const installGhost = (print: (line: string) => void): InstalledGhost | { readonly missing: string } => {
  const folder = cacheFolder();
  const installed = {
    folder: join(folder, 'ghost'),
    node: join(folder, 'tools/node_modules', nodePackage, 'bin/node'),
    client: join(folder, 'tools/node_modules', clientPackage, 'src/index.js'),
  };
  if (existsSync(join(folder, 'installed')) && existsSync(installed.client)) return installed;
  const missing = ['npm', 'tar', 'python3', 'make', 'g++'].find((program) => spawnSync(program, ['--version']).error);
  if (missing !== undefined) return { missing: `${missing} is not installed; Ghost's SQLite is built from source.` };
  print(`Installing Ghost ${ghostVersion} in ${folder}. This takes some minutes.`);
  try {
    install(folder, installed.folder, print);
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    print(error.output);
    return { missing: error.message };
  }
  writeFileSync(join(folder, 'installed'), '');
  return installed;
};

class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly output: string;

  constructor(step: string, output: string) {
    super(`${step} failed.`);
    this.output = output;
  }
}

/** @throws StepFailed */
const install = (folder: string, ghost: string, print: (line: string) => void): void => {
  rmSync(folder, { recursive: true, force: true });
  const tools = join(folder, 'tools');
  mkdirSync(tools, { recursive: true });
  print('  1. Ghost from npm');
  run(folder, 'npm', 'pack', `ghost@${ghostVersion}`);
  run(folder, 'tar', '-xzf', `ghost-${ghostVersion}.tgz`);
  renameSync(join(folder, 'package'), ghost);
  print('  2. Its package manager, Node.js and a client');
  const { packageManager } = JSON.parse(readFileSync(join(ghost, 'package.json'), 'utf8')) as {
    packageManager: string;
  };
  writeFileSync(join(tools, 'package.json'), '{"private":true}');
  const pnpm = packageManager.split('+')[0] ?? '';
  const packages = [pnpm, `${nodePackage}@${nodeVersion}`, `${clientPackage}@${clientVersion}`];
  run(tools, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  print('  3. Its dependencies');
  // The lockfile contains patches and archives that only Ghost's own package manager resolves.
  run(
    ghost,
    pnpmIn(tools),
    'install',
    '--prod',
    '--ignore-scripts',
    '--frozen-lockfile',
    '--store-dir',
    join(folder, 'store'),
  );
  print('  4. better-sqlite3, from source');
  const node = join(tools, 'node_modules', nodePackage, 'bin/node');
  run(
    realpathSync(join(ghost, 'node_modules/better-sqlite3')),
    node,
    join(tools, 'node_modules/pnpm/dist/node_modules/node-gyp/bin/node-gyp.js'),
    'rebuild',
    '--release',
    `--nodedir=${join(tools, 'node_modules', nodePackage)}`,
  );
  run(ghost, node, '-e', "require('better-sqlite3')(':memory:')");
};

/** pnpm ships its program in one package per platform. */
const pnpmIn = (tools: string): string =>
  join(tools, 'node_modules/@pnpm', `exe.${process.platform}-${process.arch}`, 'pnpm');

const run = (cwd: string, program: string, ...args: readonly string[]): void => {
  const { status, error, stderr, stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    // node-gyp prefers `nodedir`, which a system's npm exports, to its own option: wrong headers for this Node.js.
    env: { ...process.env, CI: 'true', npm_config_nodedir: undefined },
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status === 0) return;
  const output = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-20).join('\n');
  throw new StepFailed(`${basename(program)} ${args.slice(0, 2).join(' ')}`, error?.message ?? output);
};
