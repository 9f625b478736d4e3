/** Runs npm in the project's folder. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns what npm printed; it is ended after `timeoutMs`. */
export const npm = (args: readonly string[], timeoutMs: number): { readonly stdout: string } =>
  spawnSync('npm', args, {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: timeoutMs,
  });
