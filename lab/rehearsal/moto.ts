/** moto's server: an implementation of AWS that others maintain, in memory, on a free port of loopback. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';
import { pythonTool } from '../python-tool.ts';
import { type StartedServer, startServer } from '../started-server.ts';

export const version = '5.2.5';

export interface Moto extends StartedServer {
  /** The types of resources that its CloudFormation creates. */
  readonly types: ReadonlySet<string>;
}

const script = `import json
from moto.cloudformation.parsing import get_model_map
print(json.dumps(sorted(name for name in get_model_map() if name)))`;

/** Installs moto if missing and starts it; returns undefined without Python. @throws Error if it does not start */
export const startMoto = async (logFile: string): Promise<Moto | undefined> => {
  const bin = pythonTool({ name: 'moto[server]', version });
  if (bin === undefined) return undefined;
  const python = join(bin, 'python');
  const { stdout, stderr } = spawnSync(python, ['-c', script], { encoding: 'utf8' });
  if (stdout === '') throw new Error(`moto ${version} does not run: ${stderr}`);
  const types = new Set(v.parse(v.array(v.string()), JSON.parse(stdout)));
  const program = join(import.meta.dirname, 'moto_server.py');
  const server = await startServer(
    'moto',
    (port) => [python, '-B', program, '-H', '127.0.0.1', '-p', String(port)],
    '/moto-api/data.json',
    logFile,
  );
  try {
    // Docker would run the functions; nothing invokes them here.
    await fetch(`${server.endpoint}/moto-api/config`, { method: 'POST', body: '{"lambda":{"use_docker":false}}' });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, types };
};
