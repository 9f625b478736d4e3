/** A whole local stack as `npm start` runs it: a process with its own home, used over HTTP. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../infra/cdk/bundle.ts';
import { findHome, readStackFile, type StackFile } from '../../infra/local/home.ts';
import { type Call, callerOf } from './http-caller.ts';

const checkout = join(import.meta.dirname, '../..');

const startProcess = (
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  script = 'start.ts',
  project = checkout,
) => {
  const file = join(project, 'infra/local', script);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: { ...process.env, PORT: '0', MASTHEAD_HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  return { child, output: () => printed };
};

export interface RunningStack {
  readonly stack: StackFile;
  readonly pid: number;
  /** Milliseconds from the start of the process until it was ready. */
  readonly readyMs: number;
  output(): string;
  readonly call: Call;
  /** Ends it with a signal; returns its exit code (null if the signal ended it) and the time that it took. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly ms: number }>;
}

/** Creates a folder for `MASTHEAD_HOME`, which `remove` deletes. */
export const temporaryHome = (): { readonly folder: string; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

/** Runs `start.ts` to its end and returns its exit code and output. */
export const runToEnd = async (
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const { child, output } = startProcess(folder, args, environment);
  const [code] = await once(child, 'exit');
  return { code, output: output() };
};

/**
 * Starts a stack in this home and waits until it is ready. @throws Error with its output if it ends instead
 * @param script the command, below `infra/local`
 * @param project a copy of the project, if the stack is to run from one
 */
export const runStack = async (
  folder: string,
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  script?: string,
  project?: string,
): Promise<RunningStack> => {
  // Otherwise the stack does it while the tests run, and their first requests wait.
  await bundleFunctions();
  const began = performance.now();
  const { child, output } = startProcess(folder, args, environment, script, project);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (output().includes('Masthead is ready')) resolve();
    });
    child.on('exit', (code) => reject(new Error(`npm start ended with code ${code}: ${output()}`)));
  });
  const readyMs = performance.now() - began;
  const stack = readStackFile(findHome(folder));
  const { call, close } = callerOf(stack.baseUrl);
  return {
    stack,
    pid: child.pid ?? 0,
    readyMs,
    output,
    call,
    async end(signal) {
      const from = performance.now();
      const exited = once(child, 'exit');
      // False if it has ended already.
      if (child.kill(signal)) await exited;
      await close();
      return { code: child.exitCode, ms: performance.now() - from };
    },
  };
};
