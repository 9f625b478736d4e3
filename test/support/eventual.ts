/** Polls for a state that no event announces, such as a write by a batch that is still running. */
import { vi } from 'vitest';

/** In ms: below the time that a test has, so that the failure shows the state. No test is about how soon it comes. */
const timeout = 240_000;

/** Resolves when `check` no longer throws. @throws the last error of `check`, after the timeout */
export const eventual = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout });
