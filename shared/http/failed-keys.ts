/** Limits requests without a valid key, signature or link by source address, in the memory of each environment, so that a refused request costs no call to the table. */
import { TooManyRequestsError, UnauthorizedError } from '../foundation/errors.ts';

/** Failures of one source address in a window, in each environment. */
const maxFailures = 50;
const windowMs = 10_000;
/** The maximum number of sources; beyond it, the oldest window is dropped. */
const maxSources = 1000;

export interface FailedKeys {
  /**
   * Makes an attempt unless its source has failed too often; an UnauthorizedError counts, and what `isDead` finds.
   * @throws TooManyRequestsError, and errors of `attempt`
   */
  limit<T>(source: string, now: number, attempt: () => Promise<T>, isDead?: (end: unknown) => boolean): Promise<T>;
  /**
   * Does the same, but always makes the attempt: after too many failures of its source it is refused only if it fails, too.
   * @throws TooManyRequestsError, and errors of `attempt`
   */
  count<T>(source: string, now: number, attempt: () => Promise<T>): Promise<T>;
}

/** Returns the limit of one environment, with no failures yet. */
export const failedKeys = (): FailedKeys => {
  const windows = new Map<string, { readonly since: number; failures: number }>();
  const current = (source: string, now: number) => {
    const window = windows.get(source);
    return window !== undefined && now - window.since < windowMs ? window : undefined;
  };
  /** @throws TooManyRequestsError if the source has sent too many requests without a valid key */
  const check = (source: string, now: number): void => {
    const window = current(source, now);
    if (window === undefined || window.failures < maxFailures) return;
    const seconds = Math.ceil((window.since + windowMs - now) / 1000);
    throw new TooManyRequestsError('Too many requests without a valid key or link from this address.', seconds);
  };
  const add = (source: string, now: number): void => {
    const window = current(source, now);
    if (window !== undefined) {
      window.failures += 1;
      return;
    }
    windows.delete(source);
    const [oldest] = windows.keys();
    if (windows.size >= maxSources && oldest !== undefined) windows.delete(oldest);
    windows.set(source, { since: now, failures: 1 });
  };
  const counted = async <T>(
    source: string,
    now: number,
    attempt: () => Promise<T>,
    isDead: (end: unknown) => boolean = () => false,
  ): Promise<T> => {
    const note = (end: unknown): void => {
      if (!(end instanceof UnauthorizedError) && !isDead(end)) return;
      check(source, now);
      add(source, now);
    };
    const value = await attempt().catch((error: unknown) => {
      note(error);
      throw error;
    });
    note(value);
    return value;
  };
  return {
    async limit(source, now, attempt, isDead) {
      check(source, now);
      return counted(source, now, attempt, isDead);
    },
    count: (source, now, attempt) => counted(source, now, attempt),
  };
};
