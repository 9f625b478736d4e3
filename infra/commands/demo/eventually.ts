/** Waits for what a running stack does in its own time. */
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 50;
const longestMs = 15_000;

/** Asks again and again until there is something. @throws Error that names what did not come within 15 seconds. */
export const eventually = async <T>(what: string, ask: () => Promise<T | undefined>): Promise<T> => {
  for (const end = Date.now() + longestMs; Date.now() < end; await wait(everyMs)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come within ${longestMs / 1000} s`);
};
