/** How the C library's allocator shares memory between the threads of a stack. */
import { argv, env, execArgv, execPath, platform } from 'node:process';

/**
 * Starts this process anew, in place and with the same id, so that all its threads share the memory that the C library has freed: glibc reads
 * `MALLOC_ARENA_MAX` before Node.js runs. By default each thread has an arena of its own, which keeps what it once had. Returns where there is
 * no glibc, or the variable is set.
 */
export const shareFreedMemory = (): void => {
  if (platform !== 'linux' || env.MALLOC_ARENA_MAX !== undefined) return;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, MALLOC_ARENA_MAX: '1' });
};
