/** Counts in memory and writes once per batch. Approximate: a kill loses counts, and a repetition doubles them. */
import { log } from '../aws/log.ts';
import { systemClock } from '../foundation/clock.ts';
import type { Outcome } from './counts.ts';
import { bucketOf } from './histogram.ts';
import { addCounts, latencyName, slotMs } from './store.ts';

/** By slot and name. */
let pending = new Map<number, Map<string, number>>();

const add = (name: string, amount: number, at: number): void => {
  const slot = at - (at % slotMs);
  const counts = pending.get(slot) ?? new Map<string, number>();
  pending.set(slot, counts);
  counts.set(name, (counts.get(name) ?? 0) + amount);
};

/** Counts an outcome, at a time in epoch ms. */
export const countOutcome = (outcome: Outcome, amount = 1, at = systemClock()): void => add(outcome, amount, at);

/** Counts the time in ms from accepting an event to one of its deliveries, at a time in epoch ms. */
export const countLatency = (ms: number, at: number): void => add(latencyName(bucketOf(ms)), 1, at);

/** Adds what was counted to the table. Never rejects: what could not be added is added with the next batch. */
export const writeCounts = async (): Promise<void> => {
  const taken = pending;
  pending = new Map();
  for (const [slot, counts] of taken) {
    try {
      await addCounts(slot, counts);
    } catch (error) {
      log.warn('Counts could not be written; the next batch adds them', { error });
      const later = pending.get(slot) ?? new Map<string, number>();
      pending.set(slot, later);
      for (const [name, amount] of counts) later.set(name, (later.get(name) ?? 0) + amount);
    }
  }
};
