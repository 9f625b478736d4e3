/** Files share a process: each begins with its own modules, and its changes of the process are undone after it. */
import { afterAll, vi } from 'vitest';

// Modules read the environment when they are loaded.
vi.resetModules();
const environment = { ...process.env };

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
