/** A row: requests of all environments stand in it, so that no period has more of them than a limit allows. */
import { minute, second } from '../foundation/clock.ts';

/** At most `limit` requests in any second or minute. */
export interface Pace {
  readonly limit: number;
  readonly per: 'second' | 'minute';
}

/** Times in epoch ms. */
export interface Row {
  /** The places of the last requests, oldest first; at most as many as the limit. */
  readonly places: readonly number[];
  /** When those that have been told to wait are served. */
  readonly end: number;
}

/** Times in epoch ms. */
export type Place =
  /** The request is sent from `at` on, and not after `until`. */
  | { readonly isTaken: true; readonly at: number; readonly until: number }
  /** It waits until `at`, and asks again. */
  | { readonly isTaken: false; readonly at: number };

const periods = { second, minute } as const;

/** Clocks differ, and a place is used later than it was taken: places are a period and these ms apart. */
const leeway = { second: second / 4, minute: minute / 10 } as const;

/** The part of the leeway in which a place may be used; the rest is for clocks and the way to the wire. */
const usable = 0.5;

/** If no place was taken for so long, those that were told to wait are gone: held, cancelled or released. */
const goneAfterMs = 3 * minute;

/** What waits comes back late, or together: the row moves this much more slowly than the limit allows. */
const slowness = 1.05;

/**
 * Gives places to requests, in their order. Those that have waited come first, others not before the row's end.
 * @param row undefined for an empty one
 * @param asking for each request, whether it has waited
 * @param horizonMs how far ahead a place may be that is taken at once
 */
export const takePlaces = (
  row: Row | undefined,
  asking: readonly boolean[],
  now: number,
  { limit, per }: Pace,
  horizonMs: number,
): { readonly row: Row; readonly places: readonly Place[] } => {
  const apart = periods[per] + leeway[per];
  const taken = [...(row?.places ?? [])];
  let end = (taken.at(-1) ?? 0) < now - goneAfterMs ? 0 : (row?.end ?? 0);
  const placeOf = (hasWaited: boolean): Place => {
    const free = Math.max(now, taken.at(-1) ?? 0, (taken.at(-limit) ?? 0) + apart);
    const at = hasWaited ? free : Math.max(free, end);
    if (at <= now + horizonMs) {
      taken.push(at);
      return { isTaken: true, at, until: at + leeway[per] * usable };
    }
    const waitsUntil = Math.max(free, end);
    end = waitsUntil + (apart / limit) * slowness;
    return { isTaken: false, at: Math.ceil(waitsUntil) };
  };
  const places: Place[] = [];
  for (const isTurnOf of [true, false])
    asking.forEach((hasWaited, position) => {
      if (hasWaited === isTurnOf) places[position] = placeOf(hasWaited);
    });
  const counting = taken.filter((at, position) => at > now - apart || position === taken.length - 1);
  return { row: { places: counting.slice(-limit), end: Math.round(end) }, places };
};
