/** The rate at which mail may be sent: turns, one after the other, which all environments of a function share. */

/** What SES grants: mails a second, and mails in 24 hours (null for no cap). */
export interface SendingRate {
  readonly perSecond: number;
  readonly perDay: number | null;
}

/** Where the turns stand; all times in epoch ms. */
export interface Turns {
  /** When the next turn is. */
  readonly next_at: number;
  /** How many were given in the 24 hours that end at `day_until`. */
  readonly day_count: number;
  readonly day_until: number;
}

const dayMs = 24 * 60 * 60 * 1000;

/** A tenth of SES's rate stays unused: turns are exact here, but mails arrive at SES a little earlier or later than that. */
const share = 0.9;

export interface Given {
  /** When each turn is, in epoch ms, oldest first. */
  readonly turns: readonly number[];
  /** Where the turns then stand; undefined where none was given. */
  readonly state: Turns | undefined;
  /** Where not all that were wanted were given: milliseconds from now until it is worth asking again. */
  readonly waitMs: number;
}

/**
 * Gives up to `wanted` turns that begin within `horizonMs`: a token bucket that holds one token, so that there is never a burst.
 * @param state where the turns stand; undefined at the very first
 * @param now epoch ms
 */
export const giveTurns = (
  state: Turns | undefined,
  wanted: number,
  now: number,
  horizonMs: number,
  { perSecond, perDay }: SendingRate,
): Given => {
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
