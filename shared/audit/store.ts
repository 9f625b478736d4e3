/**
 * Stores the audit log. Each entry of a change is in its transaction, so that neither exists without the other. All go
 * to the newest place, and a partition takes 1,000 write units a second (DynamoDB): eight partitions, chosen by the id
 * and sorted by time, take 4,000 changes a second at two units each.
 */
import { day, second } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { type AuditId, timeOfId } from '../foundation/ids.ts';
import { newId } from '../foundation/new-id.ts';
import { missing } from '../table/condition.ts';
import { ConditionFailed } from '../table/conditional.ts';
import { put } from '../table/item.ts';
import { query } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import type { AuditAction } from './actions.ts';
import type { AuditSource } from './list.ts';
import type { Actor, AuditEntry, Changes, Target } from './resource.ts';

export type StoredEntry = Omit<AuditEntry, 'at'>;

const shards = Array.from({ length: 8 }, (_, shard) => `AUDIT#${shard}`);

const tableKey = (id: AuditId): Key => ({
  pk: shards[Number.parseInt(id.slice(-1), 16) % shards.length] ?? '',
  sk: `AUDIT#${id}`,
});

/** Returns the write that records a change. Its condition prevents overwriting: IAM allows every put or none. */
export const audited = (...entry: EntryFields): Write => ({ kind: 'put', ...putOf(...entry) });

/** Records what has no transaction of its own, such as a ping. */
export const record = async (...entry: EntryFields): Promise<void> => {
  const { item, condition } = putOf(...entry);
  await put(item, condition).catch((error: unknown) => {
    // An earlier try of the client has written it, and its answer was lost.
    if (!(error instanceof ConditionFailed)) throw error;
  });
};

type EntryFields = [actor: Actor, action: AuditAction, target: Target, changes?: Changes];

const putOf = (...fields: EntryFields) => ({
  item: entryItem(settings().audit.keepDays, ...fields),
  condition: missing(),
});

/** Returns the item of a new entry that is kept for so many days. */
export const entryItem = (keepDays: number, ...[actor, action, target, changes = {}]: EntryFields) => {
  const id = newId<AuditId>();
  const entry: StoredEntry = { id, actor, action, target, changes };
  const expires_at = Math.ceil((timeOfId(id) + keepDays * day) / second);
  return { ...tableKey(id), ...entry, expires_at };
};

export const auditSources: readonly AuditSource[] = shards.map((pk) => async ({ from, to, limit }) => {
  const { items, next } = await query<StoredEntry>(pk, {
    between: [`AUDIT#${from}`, `AUDIT#${to}`],
    newestFirst: true,
    limit,
  });
  return { entries: items, isComplete: next === undefined };
});
