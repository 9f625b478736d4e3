/** The rate at which mail is sent: turns, one after the other, which all environments of a function share. */

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

/** The state of the turns; all times in epoch ms. */
export interface Turns {
  /** The time of the next turn. */
  readonly next_at: number;
  /** How many were reserved in the 24 hours that end at `day_until`. */
  readonly day_count: number;
  readonly day_until: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A tenth of SES's rate stays unused: turns are exact, but mails reach SES slightly earlier or later. */
const share = 0.9;

export interface Reserved {
  /** The times of the turns in epoch ms, oldest first. */
  readonly turns: readonly number[];
  /** The state afterwards; undefined if no turn was reserved. */
  readonly state: Turns | undefined;
  /** If there are fewer turns than requested: milliseconds until another may be free. */
  readonly waitMs: number;
}

/**
 * Reserves up to `wanted` turns within `horizonMs`: a token bucket that holds one token, so that there is never a burst.
 * @param state the state of the turns; undefined at first
 * @param now epoch ms
 */
export const reserveTurns = (
  state: Turns | undefined,
  wanted: number,
  now: number,
  horizonMs: number,
  { perSecond, perDay }: SendingRate,
): Reserved => {
  const everyMs = 1000 / (perSecond * share);
  const sameDay = state !== undefined && state.day_until > now;
  const dayUntil = sameDay ? state.day_until : now + dayMs;
  const usedToday = sameDay ? state.day_count : 0;
  const first = Math.max(now, state?.next_at ?? now);
  const inTime = Math.max(0, Math.floor((now + horizonMs - first) / everyMs) + 1);
  const today = perDay === null ? wanted : Math.max(0, perDay - usedToday);
  const count = Math.min(wanted, inTime, today);
  const next = first + count * everyMs;
  return {
    turns: Array.from({ length: count }, (_, turn) => first + turn * everyMs),
    state: count === 0 ? undefined : { next_at: next, day_count: usedToday + count, day_until: dayUntil },
    waitMs: today < Math.min(wanted, inTime) ? dayUntil - now : next - now,
  };
};
