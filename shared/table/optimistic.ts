/** Optimistic writes: read, decide, write under a condition, and start again if another request was faster. */
import { ContentionError } from '../foundation/errors.ts';

/** Each try loses only to a request that succeeded, so this many tries suffice for as many rivals. */
const maxTries = 20;

/**
 * Repeats `attempt` until it returns a value; undefined means that another request was faster.
 * @param what names the item in the log line of the error
 * @throws ContentionError after 20 lost races
 */
export const untilWritten = async <T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; tries < maxTries; tries++) {
    const value = await attempt();
    if (value !== undefined) return value;
  }
  throw new ContentionError(new Error(`another request was faster in each of ${maxTries} tries to write ${what}`));
};
