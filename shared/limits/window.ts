/** Counts what was taken within a while, so that no stretch of that length ever has more than its limit. */

/** At most `limit` within any `windowMs`. */
export interface Window {
  readonly limit: number;
  readonly windowMs: number;
}

/** What was taken in one slice of the window, and when the last of it was, in epoch ms. */
export interface Taken {
  readonly at: number;
  readonly count: number;
}

/** A counter is cut into so many slices, so that it stays small however high its limit is. */
const slices = 12;

/**
 * Takes `count` from a counter at `now` (epoch ms), all or nothing: gives the counter as it then is, or, where that would
 * be over the limit, the milliseconds after which the same would be taken.
 *
 * What was taken in one slice is remembered with the time of its last part, so that the limit is never exceeded, and at
 * worst a slice is counted for a twelfth of the window too long.
 */
export const takeFromWindow = (
  taken: readonly Taken[],
  count: number,
  now: number,
  { limit, windowMs }: Window,
): { readonly taken: readonly Taken[] } | { readonly retryAfterMs: number } => {
  const counted = taken.filter(({ at }) => at + windowMs > now);
  let excess = counted.reduce((sum, slice) => sum + slice.count, count) - limit;
  if (excess > 0) {
    for (const { at, count: freed } of counted) {
      excess -= freed;
      if (excess <= 0) return { retryAfterMs: at + windowMs - now };
    }
    return { retryAfterMs: windowMs };
  }
  const sliceOf = (at: number): number => Math.floor((at * slices) / windowMs);
  const last = counted.at(-1);
  return last !== undefined && sliceOf(last.at) === sliceOf(now)
    ? { taken: [...counted.slice(0, -1), { at: now, count: last.count + count }] }
    : { taken: [...counted, { at: now, count }] };
};
