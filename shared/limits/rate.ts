/** The rate at which mail is sent: turns, one after the other, which all environments of a function share. */
import { type Taken, takeFromWindow, takenWithin } from './window.ts';

/** The quota of SES: mails per second, and mails in 24 hours (null for no cap). */
export interface SendingRate {
  readonly perSecond: number;
  readonly perDay: number | null;
}

/** Returns the rate for notices, which leaves half of the day's mails to invitations and sign-in links. */
export const rateOfNotices = ({ perSecond, perDay }: SendingRate): SendingRate => ({
  perSecond,
  perDay: perDay === null ? null : Math.floor(perDay / 2),
});

/** Returns the rate for invitations: sign-in links keep a tenth of the day, so that a long list locks nobody out. */
export const rateOfInvites = ({ perSecond, perDay }: SendingRate): SendingRate => ({
  perSecond,
  perDay: perDay === null ? null : Math.ceil(perDay * 0.9),
});

/** The state of the turns; all times in epoch ms. */
export interface Turns {
  readonly next_at: number;
  /** What was reserved in the last 24 hours. SES counts those before each mail, not fixed days. */
  readonly day: readonly Taken[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** A tenth of SES's rate stays unused: turns are exact, but mails reach SES slightly earlier or later. */
const share = 0.9;

export interface Reserved {
  /** The times of the turns in epoch ms, oldest first. */
  readonly turns: readonly number[];
  readonly state: Turns | undefined;
  /** If there are fewer turns than requested: milliseconds until another may be free. */
  readonly waitMs: number;
}

/** Reserves up to `wanted` turns within `horizonMs`: a token bucket that holds one token, so there is never a burst. */
export const reserveTurns = (
  state: Turns | undefined,
  wanted: number,
  now: number,
  horizonMs: number,
  { perSecond, perDay }: SendingRate,
): Reserved => {
  const everyMs = 1000 / (perSecond * share);
  // A turn is up to `horizonMs` later than its reservation.
  const window = { limit: perDay ?? Number.POSITIVE_INFINITY, windowMs: dayMs + horizonMs };
  const before = state?.day ?? [];
  const first = Math.max(now, state?.next_at ?? now);
  const inTime = Math.max(0, Math.floor((now + horizonMs - first) / everyMs) + 1);
  const today = Math.max(0, window.limit - takenWithin(before, now, window));
  const count = Math.min(wanted, inTime, today);
  const next = first + count * everyMs;
  const taken = count === 0 ? undefined : takeFromWindow(before, count, now, window);
  const day = taken !== undefined && 'taken' in taken ? taken.taken : before;
  const another = takeFromWindow(day, 1, now, window);
  return {
    turns: Array.from({ length: count }, (_, turn) => first + turn * everyMs),
    state: count === 0 ? undefined : { next_at: next, day },
    waitMs: 'retryAfterMs' in another ? Math.max(another.retryAfterMs, next - now) : next - now,
  };
};
