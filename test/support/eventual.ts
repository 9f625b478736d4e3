/** Polls for a state of which a test gets no event, such as a write by a batch that still runs. */
import { vi } from 'vitest';

/** In ms: below the time that a test has, so that the failure shows the state. No test is about how soon it comes. */
const timeout = 50_000;

/** Resolves when `check` no longer throws. @throws the last error of `check`, after the timeout */
export const eventual = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout });
