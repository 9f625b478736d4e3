/** Recognises writes that took effect though their answer was lost, by a value that only this request writes. */
import { ContentionError, ServiceUnavailableError } from '../foundation/errors.ts';
import { newId } from '../foundation/new-id.ts';
import type { Change, Condition } from './condition.ts';
import { type Tried, tryWrite } from './conditional.ts';
import { get, update } from './item.ts';
import type { Key } from './table-key.ts';
import { transact, type Write } from './transaction.ts';

/** A conflict can be one with the same write, whose answer was lost. */
const mayBeWritten = (error: unknown): boolean =>
  error instanceof ServiceUnavailableError || error instanceof ContentionError;

/** Tries a write; if it ends without an answer, `isDone` checks in the table whether it was carried out. */
export const tryOnce = async <T>(write: Promise<T>, isDone: () => Promise<boolean>): Promise<Tried<T | undefined>> => {
  try {
    return await tryWrite(write);
  } catch (error) {
    if (mayBeWritten(error) && (await isDone())) return { written: true, value: undefined };
    throw error;
  }
};

/** Changes one item once, under a condition: `changed_by` marks it with the request that changed it last. */
export const updateOnce = async <T extends object>(
  key: Key,
  change: Change,
  condition: Condition,
): Promise<Tried<T>> => {
  const changed_by: string = newId();
  const own = (item: (T & { changed_by?: string }) | undefined): Tried<T> | undefined =>
    item?.changed_by === changed_by ? { written: true, value: item } : undefined;
  try {
    const tried = await tryWrite(update<T>(key, { ...change, set: { ...change.set, changed_by } }, condition));
    return own(tried.refusal?.found()) ?? tried;
  } catch (error) {
    const done = mayBeWritten(error) ? own(await get<T>(key)) : undefined;
    if (done === undefined) throw error;
    return done;
  }
};

/** The same in a transaction with further writes. Returns the item afterwards; undefined if it is deleted since. */
export const updateOnceWith = async <T extends object>(
  key: Key,
  change: Change,
  condition: Condition,
  more: readonly Write[],
): Promise<Tried<T | undefined>> => {
  if (more.length === 0) return updateOnce<T>(key, change, condition);
  const changed_by: string = newId();
  const marked = { ...change, set: { ...change.set, changed_by } };
  const tried = await tryOnce(
    transact([{ kind: 'update', key, change: marked, condition }, ...more]),
    async () => (await get<{ changed_by?: string }>(key))?.changed_by === changed_by,
  );
  return tried.written ? { written: true, value: await get<T>(key) } : tried;
};
