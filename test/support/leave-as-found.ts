/** Files share a process: each begins with its own modules, and its changes of the process are undone after it. */
import { afterAll, vi } from 'vitest';

// Modules read the environment when they are loaded.
vi.resetModules();
const { env } = process;
const environment = { ...env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  const isReplaced = process.env !== env;
  process.env = env;
  for (const name of Object.keys(env)) if (!(name in environment)) delete env[name];
  Object.assign(env, environment);
  if (isReplaced)
    throw new Error('A file replaced process.env. Change its variables, because stubs change this object.');
});
