/** Sliding windows: no interval of the window's length ever exceeds the limit. */

/** At most `limit` within any `windowMs`. */
export interface Window {
  readonly limit: number;
  readonly windowMs: number;
}

/** The amount taken in one slice of the window, and the time of the last take in epoch ms. */
export interface Taken {
  readonly at: number;
  readonly count: number;
}

/** The number of slices of a counter, which keeps it small regardless of its limit. */
const slices = 12;

const counting = (taken: readonly Taken[], now: number, { windowMs }: Pick<Window, 'windowMs'>): readonly Taken[] =>
  taken.filter(({ at }) => at + windowMs > now);

/** Returns how much counts against the limit at `now` (epoch ms). */
export const takenWithin = (taken: readonly Taken[], now: number, window: Pick<Window, 'windowMs'>): number =>
  counting(taken, now, window).reduce((sum, { count }) => sum + count, 0);

/**
 * Takes `count` from a counter at `now`, all or nothing. Returns the new counter, or in how many ms it would
 * succeed. A slice has its last take's time: it counts for up to a twelfth of the window too long.
 */
export const takeFromWindow = (
  taken: readonly Taken[],
  count: number,
  now: number,
  { limit, windowMs }: Window,
): { readonly taken: readonly Taken[] } | { readonly retryAfterMs: number } => {
  const counted = counting(taken, now, { windowMs });
  let excess = takenWithin(counted, now, { windowMs }) + count - limit;
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
