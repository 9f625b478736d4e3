/** For files that share a process: spies, clocks and stubs of one are gone before the next begins, whether or not it took them back. */
import { afterAll, vi } from 'vitest';

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
