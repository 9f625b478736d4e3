/** Sums stored counts up to the statistics of a period. */
import { hour, minute, timestamp } from '../foundation/clock.ts';
import { present } from '../foundation/resource.ts';
import { type Counts, sumOf } from './counts.ts';
import { percentile } from './histogram.ts';
import { type Period, type StatsResource, statsResource } from './resource.ts';
import { readSlots, type Slot, slotMs } from './store.ts';

/** The number of buckets of a period, and their length in ms: a multiple of a slot. */
const division: Readonly<Record<Period, { readonly buckets: number; readonly ms: number }>> = {
  hour: { buckets: 12, ms: 5 * minute },
  day: { buckets: 48, ms: 30 * minute },
  week: { buckets: 84, ms: 2 * hour },
};

/** Returns the statistics of the period that ends now (epoch ms), in the current bucket. */
export const statsOf = async (period: Period, now: number): Promise<StatsResource> => {
  const { buckets, ms } = division[period];
  const until = now - (now % ms) + ms;
  const since = until - buckets * ms;
  return summary(period, since, ms, buckets, await readSlots(since, until - slotMs));
};

const summary = (period: Period, since: number, ms: number, count: number, slots: readonly Slot[]): StatsResource => {
  const byBucket = Map.groupBy(slots, ({ start }) => Math.floor((start - since) / ms));
  return present(statsResource, {
    period,
    since: timestamp(since),
    until: timestamp(since + count * ms),
    ...shown(sumOf(slots)),
    buckets: Array.from({ length: count }, (_, bucket) => ({
      start: timestamp(since + bucket * ms),
      ...shown(sumOf(byBucket.get(bucket) ?? [])),
    })),
  });
};

const shown = ({ latency, ...counts }: Counts) => ({
  ...counts,
  latency: { p50_ms: percentile(latency, 0.5), p95_ms: percentile(latency, 0.95) },
});
