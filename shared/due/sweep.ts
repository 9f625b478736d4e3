/** The sweep: handles every item that is due. The table is the source of truth; queues only reduce latency. */
import { log } from '../aws/log.ts';
import { measure } from '../aws/metrics.ts';
import { minute, systemClock } from '../foundation/clock.ts';
import { semaphore } from '../foundation/semaphore.ts';
import type { Key } from '../table/table-key.ts';
import { type DueKey, dueShards, pageOfDue, postpone } from './due-index.ts';

/** When a handled item is due again in case its message is lost, and when an item that could not be handled is due again. */
export const lookAgainMs = 6 * minute;
const tryAgainMs = minute;
/** As many keys as one BatchGetItem reads. */
const pageSize = 100;
/** Limits the concurrent writes of a sweep, its handlers included. The DynamoDB client has 50 connections, and reads use the others. */
export const limited = semaphore(32);

/** Handles due items of one kind: it sends what they stand for. Items that are no longer due are dropped. */
export type DueHandler = (keys: readonly DueKey[]) => Promise<unknown>;

/** The handlers by kind of item, which is the part of its sort key before the first `#`. */
export type DueHandlers = Readonly<Record<string, DueHandler>>;

/**
 * Sweeps all shards, each page by page, until nothing is due or `deadline` (epoch ms) has passed. Returns how many due items it has handled; failures
 * are logged. Items are handled first and postponed afterwards: a crash in between repeats messages, which their workers tolerate, and loses none.
 * Pages follow the index's own cursor, because an item that was just postponed may still be at its old place.
 */
export const sweep = async (handlers: DueHandlers, deadline: number): Promise<number> => {
  const until = systemClock();
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepShard(handlers, shard, until, deadline));
  const swept = await succeeded(shards);
  const oldest = Math.max(...swept.map(({ oldestMs }) => oldestMs));
  if (oldest > 0) measure('OldestDue', oldest);
  return swept.reduce((sum, { handled }) => sum + handled, 0);
};

interface Swept {
  readonly handled: number;
  /** The age of the oldest item; 0 if none was due. */
  readonly oldestMs: number;
}

const sweepShard = async (handlers: DueHandlers, shard: number, until: number, deadline: number): Promise<Swept> => {
  let handled = 0;
  let oldestMs = 0;
  let after: Key | undefined;
  do {
    const { items, next } = await pageOfDue(shard, until, pageSize, after);
    for (const { due_at } of items) oldestMs = Math.max(oldestMs, until - Date.parse(due_at));
    const kinds = Map.groupBy(items, ({ sk }) => sk.split('#', 1)[0] ?? '');
    const ends = await Promise.all(Array.from(kinds, ([kind, keys]) => handleKind(handlers[kind], keys, until)));
    handled += ends.reduce((sum, count) => sum + count, 0);
    after = next;
  } while (after !== undefined && systemClock() < deadline);
  return { handled, oldestMs };
};

/** Items that cannot be handled now are postponed too, because otherwise each run would read them first. */
const handleKind = async (handle: DueHandler = noHandler, keys: readonly DueKey[], until: number): Promise<number> => {
  const [isHandled] = await succeeded([handle(keys).then(() => true)]);
  const next = until + (isHandled ? lookAgainMs : tryAgainMs);
  await succeeded(keys.map((key) => limited(() => postpone(key, next))));
  return isHandled ? keys.length : 0;
};

const noHandler: DueHandler = async ([key]) => {
  throw new Error(`No handler for due items like ${key?.sk}.`);
};

/** Waits for all and returns the values of those that succeeded; the others are logged. */
const succeeded = async <T>(work: readonly Promise<T>[]): Promise<T[]> => {
  const ends = await Promise.allSettled(work);
  return ends.flatMap((end) => {
    if (end.status === 'fulfilled') return [end.value];
    log.error('A due item could not be sent', { error: end.reason });
    return [];
  });
};
