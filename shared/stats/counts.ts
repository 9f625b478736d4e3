/** The outcomes that are counted, and sums of them. */
import type { Histogram } from './histogram.ts';

export const outcomes = ['accepted', 'delivered', 'retrying', 'failed', 'held'] as const;
export type Outcome = (typeof outcomes)[number];

export interface Counts extends Readonly<Record<Outcome, number>> {
  /** From accepting an event to its delivery. */
  readonly latency: Histogram;
}

/** Returns the sum of counts. */
export const sumOf = (all: readonly Counts[]): Counts => {
  const latency = new Map<number, number>();
  for (const counts of all)
    for (const [bucket, count] of counts.latency) latency.set(bucket, (latency.get(bucket) ?? 0) + count);
  const total = (outcome: Outcome): number => all.reduce((sum, counts) => sum + counts[outcome], 0);
  return {
    accepted: total('accepted'),
    delivered: total('delivered'),
    retrying: total('retrying'),
    failed: total('failed'),
    held: total('held'),
    latency,
  };
};
