/** Polls for a state that no event announces, such as a write by a batch that is still running. */
import { vi } from 'vitest';
import { eventually as within } from '../../infra/local/demo/eventually.ts';

/** In ms: below the time that a test has, so that the failure shows the state. No test is about how soon it comes. */
const timeout = 240_000;
/** Likewise below the three minutes of a test in a browser. */
const stackTimeout = 150_000;

/** Resolves when `check` no longer throws. @throws the last error of `check`, after the timeout */
export const eventual = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout });

/** Resolves with what `ask` gets from a running stack. @throws Error that names what was awaited, after the timeout */
export const eventually = <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> =>
  within(what, ask, stackTimeout);
