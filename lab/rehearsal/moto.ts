/** moto's server: an implementation of AWS that others maintain, in memory, on a free port of loopback. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { eventually } from '../../infra/local/demo/eventually.ts';
import { pythonTool } from '../python-tool.ts';

export const version = '5.2.5';

export interface Moto {
  readonly endpoint: string;
  /** The types of resources that its CloudFormation creates. */
  readonly types: ReadonlySet<string>;
  stop(): Promise<void>;
}

const script = `import json
from moto.cloudformation.parsing import get_model_map
print(json.dumps(sorted(name for name in get_model_map() if name)))`;

/** Installs moto if missing and starts it; returns undefined without Python. @throws Error if it does not start */
export const startMoto = async (logFile: string): Promise<Moto | undefined> => {
  const bin = pythonTool({ name: 'moto[server]', version });
  if (bin === undefined) return undefined;
  const { stdout, stderr } = spawnSync(join(bin, 'python'), ['-c', script], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`moto ${version} does not run: ${stderr}`);
  const types = new Set(v.parse(v.array(v.string()), JSON.parse(stdout)));
  const port = await freePort();
  const log = openSync(logFile, 'a');
  const program = join(import.meta.dirname, 'moto_server.py');
  const server = spawn(join(bin, 'python'), [program, '-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', log, log],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const ended = once(server, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  const stop = async () => {
    server.kill();
    await ended;
  };
  try {
    await eventually(
      'moto to answer',
      async () => {
        if (server.exitCode !== null) throw new Error(`moto ended with code ${server.exitCode}.`);
        return fetch(`${endpoint}/moto-api/data.json`).catch(() => undefined);
        // Python imports all of moto first.
      },
      60_000,
    );
    // Docker would run the functions; nothing invokes them here.
    await fetch(`${endpoint}/moto-api/config`, { method: 'POST', body: '{"lambda":{"use_docker":false}}' });
  } catch (error) {
    await stop();
    throw error;
  }
  return { endpoint, types, stop };
};

const freePort = async (): Promise<number> => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
