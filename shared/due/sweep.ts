/** The sweep: handles every item that is due. The table is the source of truth; queues only reduce latency. */
import { log } from '../aws/log.ts';
import { measure } from '../aws/metrics.ts';
import { createCache } from '../foundation/cache.ts';
import { minute, systemClock } from '../foundation/clock.ts';
import { semaphore } from '../foundation/semaphore.ts';
import type { Key } from '../table/table-key.ts';
import { type DueKey, dueShards, forget, pageOfDue, postpone } from './due-index.ts';

/** When an item is due again whose work was not done by then, and one that could not be handled. */
export const lookAgainMs = 6 * minute;
const tryAgainMs = minute;
/** As many keys as one BatchGetItem reads. */
const pageSize = 100;
/** Limits the concurrent writes of a sweep. The DynamoDB client has 50 connections, and reads use the others. */
const limited = semaphore(32);

export interface DueHandler {
  /** Sends what they stand for. Items that are no longer due are dropped. */
  readonly send: (keys: readonly DueKey[]) => Promise<unknown>;
  /** Whether an item stays due when its message is sent, until the worker has done what it stands for. */
  readonly staysDue: boolean;
}

/** By kind of item: the part of its sort key before the first `#`. */
export type DueHandlers = Readonly<Record<string, DueHandler>>;

/** Since when an item that could not be handled has been due (epoch ms): only its first failure is an error. */
const failing = createCache<string, number>({ max: 10_000 });

/** How often a page is divided to find the items that fail: enough for two among a hundred. */
const maxDivisions = 16;

/**
 * Sweeps all shards by pages until nothing is due or `deadline` (epoch ms). Returns how many items it has handled. A
 * crash between handling and postponing repeats messages and loses none. Pages follow the index's own cursor.
 */
export const sweep = async (handlers: DueHandlers, deadline: number): Promise<number> => {
  const until = systemClock();
  const shards = Array.from({ length: dueShards }, (_, shard) => sweepShard(handlers, shard, until, deadline));
  const ends = await swept(shards);
  const oldest = Math.max(...ends.map(({ oldestMs }) => oldestMs));
  if (oldest > 0) measure('OldestDue', oldest);
  return ends.reduce((sum, { handled }) => sum + handled, 0);
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
    for (const key of items) oldestMs = Math.max(oldestMs, until - dueSince(key));
    const kinds = Map.groupBy(items, ({ sk }) => sk.split('#', 1)[0] ?? '');
    const ends = await Promise.all(
      Array.from(kinds, ([kind, keys]) => handleKind(handlers[kind], keys, until, deadline)),
    );
    handled += ends.reduce((sum, count) => sum + count, 0);
    after = next;
  } while (after !== undefined && systemClock() < deadline);
  return { handled, oldestMs };
};

/** Items that cannot be handled now are postponed, because otherwise each run would read them first. */
const handleKind = async (
  { send, staysDue }: DueHandler = noHandler,
  keys: readonly DueKey[],
  until: number,
  deadline: number,
): Promise<number> => {
  const failed = await sendAll(send, keys, { divisions: maxDivisions, deadline });
  const isFailed = new Set(failed);
  const postponed = keys.map(async (key) => {
    try {
      const isSent = !isFailed.has(key);
      await limited(() =>
        isSent && !staysDue ? forget(key) : postpone(key, until + (isSent ? lookAgainMs : tryAgainMs)),
      );
      if (isSent) failing.remove(nameOf(key));
    } catch (error) {
      isFailed.add(key);
      logFailure([key], error);
    }
  });
  await Promise.all(postponed);
  for (const key of isFailed) failing.set(nameOf(key), dueSince(key));
  return keys.length - failed.length;
};

const noHandler: DueHandler = {
  send: async ([key]) => {
    throw new Error(`No handler for due items like ${key?.sk}.`);
  },
  staysDue: true,
};

interface Budget {
  divisions: number;
  readonly deadline: number;
}

/** Sends items and returns those that failed. A page that fails is divided, so that no item delays the others. */
const sendAll = async (
  send: DueHandler['send'],
  keys: readonly DueKey[],
  budget: Budget,
): Promise<readonly DueKey[]> => {
  try {
    await send(keys);
    return [];
  } catch (error) {
    if (keys.length > 1 && budget.divisions > 0 && systemClock() < budget.deadline) {
      budget.divisions -= 1;
      const half = Math.ceil(keys.length / 2);
      const first = await sendAll(send, keys.slice(0, half), budget);
      return [...first, ...(await sendAll(send, keys.slice(half), budget))];
    }
    logFailure(keys, error);
    return keys;
  }
};

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Returns since when an item has been due, in epoch ms, however often it was postponed after failures. */
const dueSince = (key: DueKey): number => failing.get(nameOf(key)) ?? Date.parse(key.due_at);

/** Logs a failure as an error, for the alarm `faults`, unless all these items failed before and would keep it on. */
const logFailure = (keys: readonly DueKey[], error: unknown): void => {
  const isKnown = keys.every((key) => failing.get(nameOf(key)) !== undefined);
  const write = isKnown ? log.warn : log.error;
  write('A due item could not be sent', { error });
};

const swept = async (shards: readonly Promise<Swept>[]): Promise<Swept[]> => {
  const ends = await Promise.allSettled(shards);
  return ends.flatMap((end) => {
    if (end.status === 'fulfilled') return [end.value];
    log.error('Due items could not be read', { error: end.reason });
    return [];
  });
};
