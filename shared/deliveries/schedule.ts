/** When the next attempt is: the stage's schedule with jitter, and the receiver's `Retry-After`. */
import { day, second } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';

/** Returns a number in [0, 1); a port, so that tests can set it. */
export type Random = () => number;

/** Jitter of 20 % in both directions keeps retries of one outage apart. */
const jitter = 0.2;

/** Returns the maximum duration of the schedule in ms, from acceptance to the last attempt. */
export const scheduleMs = (scheduleSeconds: readonly number[]): number =>
  scheduleSeconds.reduce((sum, seconds) => sum + seconds, 0) * second * (1 + jitter);

/** Returns how many days an event is kept: deliveries need it as long as they are stored, which counts from their last attempt; receivers can postpone retries. */
export const keptDays = ({
  keepDays,
  retryAfterSeconds,
}: Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>): number =>
  keepDays + (2 * scheduleMs(retryAfterSeconds)) / day;

export interface NextAttempt {
  /** Epoch ms. */
  readonly at: number;
  /** Epoch ms that the receiver requested, if later than the schedule. */
  readonly askedFor: number | undefined;
  /** The additional time for that reason, in ms. */
  readonly stretchedMs: number;
}

/**
 * Returns when the next attempt is; undefined if none is left.
 * @param attempts the number of attempts made
 * @param scheduleSeconds seconds before each attempt, the first included
 * @param retryAfterMs the receiver's request, honoured up to the end of the schedule
 */
export const nextAttempt = (
  now: number,
  attempts: number,
  scheduleSeconds: readonly number[],
  retryAfterMs: number,
  random: Random,
): NextAttempt | undefined => {
  const wait = scheduleSeconds[attempts];
  if (wait === undefined) return undefined;
  const scheduled = wait * second * (1 - jitter + 2 * jitter * random());
  const rest = scheduleSeconds.slice(attempts).reduce((sum, seconds) => sum + seconds, 0) * second;
  const asked = Math.min(retryAfterMs, rest);
  if (asked <= scheduled) return { at: Math.round(now + scheduled), askedFor: undefined, stretchedMs: 0 };
  // Not before the requested time, and with jitter after it.
  const spread = Math.max(asked, Math.min(retryAfterMs * (1 + (jitter / 2) * random()), rest));
  return { at: Math.round(now + spread), askedFor: now + asked, stretchedMs: spread - scheduled };
};

/** Returns the value of `Retry-After` in ms from now: seconds or an HTTP date (RFC 9110, 10.2.3); 0 if it is absent or invalid. */
export const retryAfterMs = (header: string | undefined, now: number): number => {
  if (header === undefined) return 0;
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header), longestRetryAfterSeconds) * second;
  // `Date.parse` accepts nearly everything; HTTP dates start with the name of a day.
  const date = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
};

/** A year: longer than any schedule, and small enough for calculations. */
const longestRetryAfterSeconds = 366 * 86_400;
