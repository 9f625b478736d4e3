/**
 * A revision to measure: a copy of its files in a temporary folder, with the packages of this checkout and an empty cache. Its local stack is driven
 * over HTTP only, so that revisions with different commands and files can be compared.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import * as v from 'valibot';
import { type Call, callerOf } from '../../../test/support/http-caller.ts';

const root = join(import.meta.dirname, '../../..');

export interface StackOfRevision {
  readonly pid: number;
  readonly stack: { readonly integrationKey: string };
  readonly call: Call;
  /** Milliseconds from the start of the process until it was ready. */
  readonly readyMs: number;
  /** Ends it as Ctrl-C does; returns how many ms that took. */
  end(): Promise<number>;
}

export interface Revision {
  /** The commit, followed by `+` if the files of this checkout differ from it. */
  readonly name: string;
  readonly folder: string;
  /** Starts the revision's stack. Without a named home, the stack gets a new one, which is deleted at the end. */
  start(options?: { readonly home?: string; readonly args?: readonly string[] }): Promise<StackOfRevision>;
  /** Bundles all functions in advance; otherwise the stack would still bundle while it is measured. */
  bundle(): void;
  /** Deletes what the first start builds: templates, bundles and compiled code. */
  clearCache(): void;
  remove(): void;
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });

/** Copies the files of this checkout, including uncommitted ones. */
export const thisRevision = (): Revision => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'));
  const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0').filter(Boolean);
  for (const file of files.filter((name) => existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { verbatimSymlinks: true });
  }
  const isChanged = git('status', '--porcelain', '--', 'functions', 'infra', 'shared', 'web', 'package.json') !== '';
  return revisionIn(folder, git('rev-parse', '--short', 'HEAD').trim() + (isChanged ? '+' : ''));
};

/** Extracts the files of a commit. @throws Error if the commit is unknown */
export const revisionOf = (ref: string): Revision => {
  const name = git('rev-parse', '--short', `${ref}^{commit}`).trim();
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bench-'));
  const archive = execFileSync('git', ['-C', root, 'archive', name], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  return revisionIn(folder, name);
};

const packageSchema = v.object({
  version: v.string(),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
  devDependencies: v.optional(v.record(v.string(), v.string()), {}),
  scripts: v.optional(v.record(v.string(), v.string()), {}),
});
const readPackage = (folder: string) =>
  v.parse(packageSchema, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));

/** Returns whether this checkout has the packages that the revision names. */
const hasSamePackages = (folder: string): boolean => {
  const { dependencies, devDependencies } = readPackage(folder);
  return Object.entries({ ...dependencies, ...devDependencies }).every(([name, version]) => {
    const installed = join(root, 'node_modules', name);
    return existsSync(installed) && readPackage(installed).version === version;
  });
};

/** Links each package instead of the folder, because the folder also contains the cache. */
const linkPackages = (folder: string): void => {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
};

const revisionIn = (folder: string, name: string): Revision => {
  if (hasSamePackages(folder)) linkPackages(folder);
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
  const { start: script = '' } = readPackage(folder).scripts;
  return {
    name,
    folder,
    async start({ home: given, args = ['--memory'] } = {}) {
      const home = given ?? mkdtempSync(join(tmpdir(), 'masthead-'));
      const end = () => {
        if (given === undefined) rmSync(home, { recursive: true, force: true });
      };
      // Revisions without this option print what they always print.
      const quiet = existsSync(join(folder, 'infra/local')) ? ['--quiet'] : [];
      return startStack(folder, script, [...args, ...quiet], home, end);
    },
    bundle() {
      // Earlier revisions bundle all functions before they are ready.
      const bundler = 'infra/cdk/bundle.ts';
      if (existsSync(join(folder, bundler)))
        execFileSync(process.execPath, [bundler], { cwd: folder, stdio: 'ignore' });
    },
    clearCache: () => rmSync(join(folder, 'node_modules/.cache'), { recursive: true, force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const stackFile = v.object({ baseUrl: v.string(), integrationKey: v.string() });

const startStack = async (
  folder: string,
  script: string,
  args: readonly string[],
  home: string,
  removeHome: () => void,
): Promise<StackOfRevision> => {
  const began = performance.now();
  // Runs it as npm would, but without npm, which takes longer to start than the stack.
  const child = spawn('/bin/sh', ['-c', `exec ${script.replace(/^exec /, '')} "$@"`, 'sh', ...args], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter),
      PORT: '0',
      MASTHEAD_HOME: home,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-20_000);
        if (output.includes('Masthead is ready')) resolve();
      });
    child.on('exit', (code) => reject(new Error(`The stack of ${folder} ended with code ${code}: ${output}`)));
  });
  const readyMs = performance.now() - began;
  const stack = v.parse(stackFile, JSON.parse(readFileSync(join(home, 'stack.json'), 'utf8')));
  const { call, close } = callerOf(stack.baseUrl);
  return {
    pid: child.pid ?? 0,
    stack,
    call,
    readyMs,
    async end() {
      const [from, exited] = [performance.now(), once(child, 'exit')];
      if (child.kill('SIGINT')) await exited;
      const ms = performance.now() - from;
      await close();
      removeHome();
      return ms;
    },
  };
};
