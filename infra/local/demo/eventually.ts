/** Polls a running stack until it has a result. */
import { setTimeout as wait } from 'node:timers/promises';

const everyMs = 50;
/** How long a running stack may take, also on a busy machine. */
const defaultTimeoutMs = 15_000;

/** Calls `ask` until it returns something. @throws Error that names what was awaited, after the timeout */
export const eventually = async <T>(
  what: string,
  ask: () => Promise<T | undefined>,
  timeoutMs = defaultTimeoutMs,
): Promise<T> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await wait(everyMs)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`Timed out after ${timeoutMs / 1000} s waiting for ${what}.`);
};
