/** Waits for what a running stack does in its own time. */
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 50;
/** How long a running stack may take, also on a busy machine. */
const patienceMs = 15_000;

/** Asks until there is an answer. @throws Error that names what did not come within `withinMs` */
export const eventually = async <T>(
  what: string,
  ask: () => Promise<T | undefined>,
  withinMs = patienceMs,
): Promise<T> => {
  for (const end = Date.now() + withinMs; Date.now() < end; await wait(everyMs)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${what} did not come within ${withinMs / 1000} s`);
};
