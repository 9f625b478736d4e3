/** Optimistic writes: read, decide, write under a condition, and start again if another request was faster. */
import { ContentionError } from '../foundation/errors.ts';

/** Each try loses only to a request that succeeded, so this many tries suffice for as many rivals. */
const maxTries = 20;

/** Repeats `attempt` while another request is faster (undefined). `what` is for the log. @throws ContentionError */
export const untilWritten = async <T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> => {
  for (let tries = 0; tries < maxTries; tries++) {
    const value = await attempt();
    if (value !== undefined) return value;
  }
  throw new ContentionError(new Error(`another request was faster in each of ${maxTries} tries to write ${what}`));
};
