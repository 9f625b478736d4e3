/** Starts a server that others maintain, on a free port of loopback, and waits until it answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import { listen } from '../infra/emulator/loopback.ts';
import { eventually } from '../infra/local/demo/eventually.ts';

export interface StartedServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Starts it.
 * @param commandAt returns the program and its arguments
 * @param path what it answers once it runs, with any status
 * @throws Error if it ends, or does not answer in a minute
 */
export const startServer = async (
  name: string,
  commandAt: (port: number) => readonly [program: string, ...args: string[]],
  path: string,
  logFile: string,
): Promise<StartedServer> => {
  const port = await freePort();
  const log = openSync(logFile, 'a');
  const [program, ...args] = commandAt(port);
  const server = spawn(program, args, { stdio: ['ignore', log, log] });
  const ended = once(server, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    server.kill();
    await ended;
  };
  try {
    await eventually(
      `${name} to answer`,
      async () => {
        if (server.exitCode !== null) throw new Error(`${name} ended with code ${server.exitCode}.`);
        return fetch(`${endpoint}${path}`).catch(() => undefined);
      },
      60_000,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, stop };
};

/** Returns a port of loopback that nothing listens on now. */
export const freePort = async (): Promise<number> => {
  const { port, stop } = await listen(createServer());
  await stop();
  return port;
};
