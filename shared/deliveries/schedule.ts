/** When the next attempt is: the stage's schedule with jitter, and the receiver's `Retry-After`. */
import { day, second } from '../foundation/clock.ts';
import { scheduleJitter as jitter, longestDeliveryDays } from '../foundation/delivery-times.ts';
import type { Settings } from '../foundation/settings.ts';

/** Returns a number in [0, 1). A parameter, so that tests can replace it. */
export type Random = () => number;

/** The longest `Retry-After` that counts: receivers must know for how long they have to keep ids. */
const longestRetryAfterMs = day;

/** Returns when the automatic attempts of a delivery end, in epoch ms. `created_at` as in its message. */
export const endOfAttempts = ({ created_at }: { readonly created_at: string }): number =>
  Date.parse(created_at) + longestDeliveryDays * day;

/** Returns the days an event is kept: as long as its deliveries, whose time counts from their last attempt. */
export const keptDays = ({ keepDays }: Pick<Settings['deliveries'], 'keepDays'>): number =>
  keepDays + longestDeliveryDays;

export interface NextAttempt {
  /** Epoch ms. */
  readonly at: number;
  /** The time that the receiver requested, in epoch ms, even if the schedule is later. */
  readonly askedFor: number | undefined;
  /** By how many ms that postpones the attempt; 0 if the schedule is later. */
  readonly addedMs: number;
}

/**
 * Returns when the next attempt is; undefined if none is left.
 * @param attempts the number of attempts made
 * @param scheduleSeconds seconds before each attempt, the first included
 * @param askedMs the receiver's request, as `retryAfterMs` returns it
 * @param end epoch ms after which no attempt starts
 */
export const nextAttempt = (
  now: number,
  attempts: number,
  scheduleSeconds: readonly number[],
  askedMs: number,
  end: number,
  random: Random,
): NextAttempt | undefined => {
  const wait = scheduleSeconds[attempts];
  if (wait === undefined) return undefined;
  const scheduled = wait * second * (1 - jitter + 2 * jitter * random());
  const isAsked = askedMs > scheduled;
  // Never before the requested time; the jitter comes after it.
  const waitMs = isAsked ? askedMs * (1 + (jitter / 2) * random()) : scheduled;
  const at = Math.round(now + waitMs);
  if (at > end) return undefined;
  return { at, askedFor: askedMs > 0 ? now + askedMs : undefined, addedMs: waitMs - scheduled };
};

/** Returns a time at or soon after a wait's end, so that deliveries do not come back at once. All in epoch ms. */
export const spreadAfter = (until: number, now: number, random: Random): number =>
  Math.round(until + random() * Math.min(30 * second, (until - now) / 2));

/** Returns `Retry-After` in ms, at most a day: seconds, also fractions, or a date (RFC 9110, 10.2.3); 0 if invalid. */
export const retryAfterMs = (header: string | undefined, now: number): number => {
  if (header === undefined) return 0;
  if (/^\s*\d+(?:\.\d*)?\s*$/.test(header)) return Math.min(Math.ceil(Number(header) * second), longestRetryAfterMs);
  // `Date.parse` accepts nearly everything; HTTP dates start with the name of a day.
  const date = /^\s*(?:mon|tue|wed|thu|fri|sat|sun)/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? 0 : Math.min(Math.max(0, date - now), longestRetryAfterMs);
};
