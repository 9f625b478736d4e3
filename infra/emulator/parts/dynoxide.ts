/** The DynamoDB part: dynoxide as a child process on a random loopback address, in memory or on a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findDynoxide } from './dynoxide-package.ts';
import { type Part, PartMissingError } from './part.ts';
import { endOld, forget, remember } from './pid-file.ts';
import { checkFile, checkpoint } from './sqlite-file.ts';

/**
 * The shell becomes dynoxide (`exec`), beside a watcher of a pipe that only the parent holds. When the parent ends,
 * even by kill -9, the pipe closes and the watcher kills dynoxide, which would otherwise keep the data file.
 */
const underWatch = '(read -r _ <&3; kill -9 $$) 2>/dev/null & exec 3<&- && exec "$@"';

export interface DynoxideOptions {
  readonly file?: string;
  readonly onEnd?: () => void;
}

/**
 * Starts dynoxide on the SQLite file `file`, which is created if absent, or in memory. The environment variable
 * `DYNAMODB_ENDPOINT` names another DynamoDB to use instead.
 * @throws PartMissingError if dynoxide cannot be installed for this platform, or does not start, or the file is damaged
 */
export const startDynoxide = async (options: DynoxideOptions = {}): Promise<Part> => {
  const other = process.env.DYNAMODB_ENDPOINT;
  if (other !== undefined && other !== '') return { url: other.replace(/\/+$/, ''), stop: async () => {} };
  const binary = await findDynoxide();
  const pidFile = options.file === undefined ? undefined : `${options.file}.pid`;
  if (pidFile !== undefined) {
    mkdirSync(dirname(pidFile), { recursive: true });
    await endOld(pidFile, binary);
  }
  if (options.file !== undefined) checkFile(options.file);
  for (let attempt = 1; ; attempt++) {
    const started = await tryAddress(binary, options, pidFile);
    if (!('failure' in started)) return started;
    if (attempt === 3) throw new PartMissingError(`dynoxide, the DynamoDB part, did not start: ${started.failure}`);
  }
};

const tryAddress = async (
  binary: string,
  { file, onEnd }: DynoxideOptions,
  pidFile: string | undefined,
): Promise<Part | { readonly failure: string }> => {
  const [host, port] = [loopbackAddress(), randomInt(20_000, 60_000)];
  const args = ['serve', '--host', host, '--port', String(port), ...(file === undefined ? [] : ['--db-path', file])];
  const child = launch(binary, args);
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-500);
  });
  const exited = once(child, 'exit');
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  while (!(await answers(port, host))) {
    if (ended()) return { failure: complaint.trim() || `it exited with code ${child.exitCode}` };
    await wait(5);
  }
  if (ended()) return { failure: complaint.trim() || 'its port is in use' };
  if (pidFile !== undefined && child.pid !== undefined) remember(pidFile, child.pid);
  let asked = false;
  void exited.then(() => {
    if (!asked) onEnd?.();
  });
  // The child must not keep the parent's event loop alive.
  child.unref();
  for (const stream of [child.stderr, child.stdio[3]]) if (stream instanceof Socket) stream.unref();
  return {
    url: `http://${host}:${port}`,
    async stop() {
      asked = true;
      child.ref();
      if (!ended()) child.kill('SIGKILL');
      await exited;
      child.stdio[3]?.destroy();
      if (file !== undefined) checkpoint(file);
      if (pidFile !== undefined) forget(pidFile);
    },
  };
};

/** One thread: its writes wait for each other anyway, and two threads that take turns cost a tenth more CPU time. */
const environment = { ...process.env, TOKIO_WORKER_THREADS: '1' };

/** Ctrl-C reaches the whole process group (Windows: console). The table outlives the functions, so it gets its own. */
const launch = (binary: string, args: readonly string[]): ChildProcess =>
  process.platform === 'win32'
    ? // Node.js ends it with the parent anyway, because it is not detached.
      spawn(binary, args, { env: environment, windowsHide: true, stdio: ['ignore', 'ignore', 'pipe'] })
    : spawn('/bin/sh', ['-c', underWatch, 'sh', binary, ...args], {
        env: environment,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      });

/**
 * dynoxide checks no signature and allows every `Origin`, so its address is the secret: one of 16 million loopback
 * addresses (macOS: one) with one of 40,000 ports. Only the proxy knows it, and no web page can search them all.
 */
const loopbackAddress = (): string =>
  process.platform === 'darwin' ? '127.0.0.1' : `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

const answers = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
