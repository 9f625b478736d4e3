/** A histogram of durations with four buckets for each doubling, so that a percentile is at most a fifth off. */

/** The upper bound of the first bucket in ms. */
const firstMs = 8;
const perDoubling = 4;
/** The last bucket, from two days on. */
const last = 99;

/** Durations counted by the index of their bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** Returns the index of the bucket of a duration in ms. */
export const bucketOf = (ms: number): number =>
  Math.min(last, Math.max(0, Math.ceil(perDoubling * Math.log2(Math.max(ms, 1) / firstMs))));

const upperMs = (bucket: number): number => firstMs * 2 ** (bucket / perDoubling);

/** Returns the duration in whole ms that a share of all durations does not exceed; null if there are none. */
export const percentile = (histogram: Histogram, share: number): number | null => {
  const buckets = [...histogram].sort(([one], [other]) => one - other);
  const wanted = share * buckets.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  for (const [bucket, count] of buckets) {
    if (below + count >= wanted) {
      // The first bucket also has all shorter durations, which count as nearly its own.
      const lower = upperMs(bucket - 1);
      return Math.round(lower + ((upperMs(bucket) - lower) * (wanted - below)) / count);
    }
    below += count;
  }
  return null;
};
