/**
 * Caps on how many items exist, by a counter that is never too low: each creation adds one, in its transaction or
 * before. When it reaches the cap, the items are counted again. So deletions never write it or compete for it, and the
 * next count is right however items were removed.
 */
import { systemClock } from '../foundation/clock.ts';
import { newId } from '../foundation/new-id.ts';
import { allOf, below, is, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Key } from '../table/table-key.ts';
import { transact, type Write } from '../table/transaction.ts';

export interface Cap {
  readonly key: Key;
  readonly max: number;
  readonly count: () => Promise<number>;
  /** A check of another item. A new count is stored in the same transaction, so only if the check succeeds. */
  readonly check?: Write;
  /** How long a count stands before the items are counted again, in ms: counting many costs much. Default: 0. */
  readonly standsMs?: number;
}

interface Counter {
  readonly count: number;
  /** When the items were counted last, in epoch ms. */
  readonly counted_at: number;
  /** Changes with each count of the items. If two processes count at once, only the first stores its result. */
  readonly revision: string;
}

/** Returns the write that creates a counter. */
export const startCounting = (key: Key): Write => ({ kind: 'put', item: { ...key, ...beginAt(0) } });

const beginAt = (count: number): Counter => ({ count, counted_at: systemClock(), revision: newId() });

/** Returns the write that adds one item; it fails at the cap, and if nothing has been counted yet. */
export const addOne = ({ key, max }: Cap): Write => ({
  kind: 'update',
  key,
  change: { add: { count: 1 } },
  condition: below('count', max),
});

export interface Place {
  /** Gives the place back, as no item was created. After a new count, which has only existing items, does nothing. */
  readonly giveBack: () => Promise<void>;
}

/** How many places an environment takes at once: a 300th part of the cap. */
const placesAtOnce = (max: number): number => Math.max(1, Math.floor(max / 300));

interface Taken {
  left: number;
  /** The counter's, when they were taken. */
  readonly revision: string;
}

/** Places that this environment has taken and not used yet, by counter. */
const ahead = new Map<string, Taken>();

/**
 * Takes a place outside the creation's transaction, where creations at once would conflict; undefined at the cap. Takes
 * several ahead, by which an environment can exceed the cap after a new count. A cap below 600 is exact.
 * @throws ContentionError after lost races
 */
export const takePlace = async (cap: Cap): Promise<Place | undefined> => {
  const name = `${cap.key.pk} ${cap.key.sk}`;
  const taken = ahead.get(name) ?? (await takePlaces(cap));
  if (taken === undefined) return undefined;
  taken.left -= 1;
  if (taken.left > 0) ahead.set(name, taken);
  else ahead.delete(name);
  return {
    async giveBack() {
      await tryWrite(update(cap.key, { add: { count: -1 } }, is('revision', taken.revision)));
    },
  };
};

/** Takes several places, or one if the cap is too near. */
const takePlaces = async (cap: Cap): Promise<Taken | undefined> => {
  const { key, max } = cap;
  const tryToTake = async (left: number) => {
    const change = { add: { count: left } };
    const tried = await tryWrite(update<Counter>(key, change, below('count', max - left + 1)));
    return tried.written ? { left, revision: tried.value.revision } : tried.refusal;
  };
  const result = await untilWritten('a place below a cap', async () => {
    const [several, one] = [placesAtOnce(max), 1];
    const first = await tryToTake(several);
    const isTooNear = 'left' in first ? false : several > one && first.found() !== undefined;
    const taken = isTooNear ? await tryToTake(one) : first;
    if ('left' in taken) return taken;
    return (await countAgain(cap, taken.found())) ? undefined : 'full';
  });
  return result === 'full' ? undefined : result;
};

/** Counts the items again after a refusal; false at the cap, or if the last count is younger than `standsMs`. */
export const countAgain = async (cap: Cap, found: Counter | undefined): Promise<boolean> => {
  const { key, max, count, check, standsMs = 0 } = cap;
  if (found !== undefined && systemClock() - found.counted_at < standsMs) return false;
  const counted = await count();
  if (counted >= max) return false;
  // The write succeeds only if nothing was added since `found` was read.
  const isSame = found === undefined ? missing() : allOf(is('count', found.count), is('revision', found.revision));
  const item = { ...key, ...beginAt(counted) };
  await tryWrite(transact([{ kind: 'put', item, condition: isSame }, ...(check === undefined ? [] : [check])]));
  return true;
};
