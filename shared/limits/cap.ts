/**
 * Caps on how many items exist, by a counter that is never too low: each creation adds one in its transaction, and a deletion
 * changes nothing. When the counter reaches the cap, the items are counted again. So deletions, in bulk or by a receiver, share no
 * counter, and whatever removes items keeps the count right.
 */
import { newId } from '../foundation/new-id.ts';
import { allOf, below, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';

export interface Cap {
  /** The counter. */
  readonly key: Key;
  readonly max: number;
  /** Counts the items that exist. */
  readonly count: () => Promise<number>;
  /** Must hold while a count is written. */
  readonly check?: Write;
}

interface Counter {
  readonly count: number;
  /** Names the count that the counter began with: a later count does not overwrite an earlier one. */
  readonly revision: string;
}

/** Returns the write that creates a counter. */
export const startCounting = (key: Key): Write => ({ kind: 'put', item: { ...key, count: 0, revision: newId() } });

/** Returns the write that adds one item; it fails at the cap, and if nothing has been counted yet. */
export const addOne = ({ key, max }: Cap): Write => ({
  kind: 'update',
  key,
  change: { add: { count: 1 } },
  condition: below('count', max),
});

/** Counts again after `addOne` met `found`. Returns false at the cap; after true, the caller tries again. */
export const countAgain = async ({ key, max, count, check }: Cap, found: Counter | undefined): Promise<boolean> => {
  const counted = await count();
  if (counted >= max) return false;
  // Since `found` was read nothing was added, or the write is refused.
  const isSame = found === undefined ? missing() : allOf(is('count', found.count), is('revision', found.revision));
  const item = { ...key, count: counted, revision: newId() };
  await tryWrite(transact([{ kind: 'put', item, condition: isSame }, ...(check === undefined ? [] : [check])]));
  return true;
};
