/** The index of due items: its keys, and how due items are read. */
import { is } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { type Page, query } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';

/** The number of partitions of the index; each bears 1,000 writes a second (DynamoDB limit). */
export const dueShards = 16;

/** A key in the index, with the ISO time at which it is due. */
export type DueKey = Key & { readonly due_at: string };

/** Returns the attributes that put an item into the index, due at `ms` (epoch). Its key determines the shard. */
export const dueAt = (key: Key, ms: number): { due: string; due_at: string } => {
  let sum = 0;
  for (const character of key.pk + key.sk) sum = (sum * 31 + character.charCodeAt(0)) % 65_521;
  return { due: `DUE#${sum % dueShards}`, due_at: new Date(ms).toISOString() };
};

/** Reads a shard's items that are due by `until` (epoch ms), oldest first. An item may appear as it was before. */
export const pageOfDue = (shard: number, until: number, limit: number, after: Key | undefined): Promise<Page<DueKey>> =>
  query<DueKey>(`DUE#${shard}`, { index: 'due', between: ['0', new Date(until).toISOString()], limit, after });

/** Postpones a due item to `until` (epoch ms), unless it was moved since the index returned it. */
export const postpone = async ({ pk, sk, due_at }: DueKey, until: number): Promise<void> => {
  await tryWrite(update({ pk, sk }, { set: { due_at: dueAt({ pk, sk }, until).due_at } }, is('due_at', due_at)));
};

/** Records that nothing is left to do for a due item, unless it was moved since the index returned it. */
export const forget = async ({ pk, sk, due_at }: DueKey): Promise<void> => {
  await tryWrite(update({ pk, sk }, { remove: ['due', 'due_at'] }, is('due_at', due_at)));
};
