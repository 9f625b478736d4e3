/** Runs one of the repository's scripts to its end, as npm does. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Runs the file, whose path is below the root; returns the exit code and the whole output. */
export const runScript = async (
  file: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, file), ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const [code] = await once(child, 'close');
  return { code, output };
};
