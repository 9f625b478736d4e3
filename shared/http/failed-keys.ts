/**
 * Limits requests without a valid key, signature or link by source address, in each environment's memory, so that
 * strangers cost few calls to the table. Only failures count. Known callers get through, and some unknown ones.
 */
import { TooManyRequestsError, UnauthorizedError } from '../foundation/errors.ts';

/** Failures of one source address in a window, in each environment. */
const maxFailures = 50;
const windowMs = 10_000;
/** Unknown callers behind a blocked source address that are still looked up each second, in each environment. */
const lookupsPerSecond = 10;
/** The maximum number of sources; beyond it, the oldest window is dropped. */
const maxSources = 1000;

export interface FailedKeys {
  /**
   * Makes an attempt; from a source that failed too often only if the caller is known, or one of ten a second. Failures
   * are UnauthorizedErrors and what `isDead` finds. @throws TooManyRequestsError, and errors of `attempt`
   */
  limit<T>(source: string, now: number, attempt: () => Promise<T>, known?: Known): Promise<T>;
  /** Always makes the attempt; of a blocked source, a failure is refused. @throws as `limit` */
  count<T>(source: string, now: number, attempt: () => Promise<T>): Promise<T>;
}

interface Known {
  readonly isKnown?: () => boolean;
  readonly isDead?: (end: unknown) => boolean;
}

interface Window {
  readonly since: number;
  failures: number;
  /** Look-ups since the source was blocked, in the second that began at `second`. */
  second: number;
  lookups: number;
}

/** `cause` is the failure that it replaces. */
const tooMany = ({ since }: Window, now: number, cause?: unknown): TooManyRequestsError =>
  new TooManyRequestsError(
    'Too many requests without a valid key or link from this address.',
    Math.ceil((since + windowMs - now) / 1000),
    { cause },
  );

/** Returns the limit of one environment, with no failures yet. */
export const failedKeys = (): FailedKeys => {
  const windows = new Map<string, Window>();
  const current = (source: string, now: number) => {
    const window = windows.get(source);
    return window !== undefined && now - window.since < windowMs ? window : undefined;
  };
  /** Returns the window of a source that has sent too many requests without a valid key. */
  const blocked = (source: string, now: number): Window | undefined => {
    const window = current(source, now);
    return window !== undefined && window.failures >= maxFailures ? window : undefined;
  };
  /** Takes a look-up of a blocked source; returns false beyond those of a second. */
  const mayLookUp = (window: Window, now: number): boolean => {
    if (now - window.second >= 1000) Object.assign(window, { second: now, lookups: 0 });
    window.lookups += 1;
    return window.lookups <= lookupsPerSecond;
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
    windows.set(source, { since: now, failures: 1, second: now, lookups: 0 });
  };
  const counted = async <T>(
    source: string,
    now: number,
    attempt: () => Promise<T>,
    isDead: (end: unknown) => boolean = () => false,
  ): Promise<T> => {
    const note = (end: unknown): void => {
      if (!(end instanceof UnauthorizedError) && !isDead(end)) return;
      const window = blocked(source, now);
      if (window !== undefined) throw tooMany(window, now, end);
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
    async limit(source, now, attempt, { isKnown = () => false, isDead } = {}) {
      const window = blocked(source, now);
      if (window !== undefined && !isKnown() && !mayLookUp(window, now)) throw tooMany(window, now);
      return counted(source, now, attempt, isDead);
    },
    count: (source, now, attempt) => counted(source, now, attempt),
  };
};
