/** The sweep: sends due items that have no message. The table is the source of truth; queues only reduce latency. */
import { minute, systemClock } from '../foundation/clock.ts';
import { semaphore } from '../foundation/semaphore.ts';
import type { Page } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { type DueKey, dueShards } from './due-index.ts';

/** When a checked item is due again in case its message is lost, and when an item that could not be sent is due again. */
export const lookAgainMs = 6 * minute;
const tryAgainMs = minute;
/** As many keys as one BatchGetItem reads. */
const pageSize = 100;
/** Concurrent postponements over all shards. The DynamoDB client has 50 connections, and reads use the others. */
const postponesAtATime = 32;

/** One kind of due items. */
export interface DueKind {
  readonly owns: (key: Key) => boolean;
  /** Sends the items of these keys; items that are no longer due are dropped. */
  readonly sendOn: (keys: readonly DueKey[]) => Promise<unknown>;
}

export interface SweepPorts {
  /** Reads a page of the items of a shard that are due by a time in epoch ms, oldest first. */
  readonly pageOfDue: (shard: number, until: number, limit: number, after: Key | undefined) => Promise<Page<DueKey>>;
  readonly kinds: readonly DueKind[];
  /** Moves the time of the next check, unless it was moved in the meantime. */
  readonly postpone: (key: DueKey, until: number) => Promise<void>;
  /** Called with the age in ms of the oldest due item, if there is one. */
  readonly onOldest: (ageMs: number) => void;
  /** Called with each failure; failures do not stop the sweep. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Sweeps all shards, each page by page, until nothing is due or `deadline` (epoch ms) has passed. Returns how many due items it has checked; an item
 * whose message is already queued is not sent again. Messages are sent first and times are moved afterwards. A crash in between duplicates messages,
 * which their workers tolerate, and loses none. Pages follow the index's own cursor, because an item that was just moved may still be at its old
 * place.
 */
export const sweep = async (ports: SweepPorts, deadline: number): Promise<number> => {
  const until = systemClock();
  const limited = semaphore(postponesAtATime);
  const postpone: SweepPorts['postpone'] = (key, next) => limited(() => ports.postpone(key, next));
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    sweepShard({ ...ports, postpone }, shard, until, deadline),
  );
  const swept = await settled(ports, shards);
  const oldest = Math.max(...swept.map(({ oldestMs }) => oldestMs));
  if (oldest > 0) ports.onOldest(oldest);
  return sum(swept.map(({ checked }) => checked));
};

interface Swept {
  readonly checked: number;
  /** The age of the oldest item; 0 if none was due. */
  readonly oldestMs: number;
}

const sweepShard = async (ports: SweepPorts, shard: number, until: number, deadline: number): Promise<Swept> => {
  let checked = 0;
  let oldestMs = 0;
  let after: Key | undefined;
  do {
    const { items, next } = await ports.pageOfDue(shard, until, pageSize, after);
    for (const { due_at } of items) oldestMs = Math.max(oldestMs, until - Date.parse(due_at));
    const kinds = ports.kinds.map((kind) => sendKind(ports, kind, items.filter(kind.owns), until));
    checked += sum(await settled(ports, kinds));
    after = next;
  } while (after !== undefined && systemClock() < deadline);
  return { checked, oldestMs };
};

/** Items that cannot be sent now are postponed too, because otherwise each run would read them first. */
const sendKind = async (ports: SweepPorts, { sendOn }: DueKind, keys: readonly DueKey[], until: number) => {
  if (keys.length === 0) return 0;
  const [isSent] = await settled(ports, [sendOn(keys).then(() => true)]);
  const next = until + (isSent ? lookAgainMs : tryAgainMs);
  await settled(
    ports,
    keys.map((key) => ports.postpone(key, next)),
  );
  return isSent ? keys.length : 0;
};

/** Waits for all and returns the values of those that succeeded; the others are reported as failures. */
const settled = async <T>({ onFault }: Pick<SweepPorts, 'onFault'>, work: readonly Promise<T>[]): Promise<T[]> => {
  const ends = await Promise.allSettled(work);
  return ends.flatMap((end) => {
    if (end.status === 'fulfilled') return [end.value];
    onFault(end.reason);
    return [];
  });
};

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
