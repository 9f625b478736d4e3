/** When keys, sessions and staff were last used, to the hour: apart from them, as few functions may write those. */
import { log } from '../aws/log.ts';
import { createCache } from '../foundation/cache.ts';
import type { Caller } from '../foundation/caller.ts';
import { day, hour, second, timestamp } from '../foundation/clock.ts';
import type { AnyId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { put } from '../table/item.ts';
import type { Item, Key } from '../table/table-key.ts';

const keepMs = 400 * day;

const tableKey = (id: AnyId): Key => ({ pk: `USED#${id}`, sk: 'USED' });

const idsOf = (caller: Caller): AnyId[] =>
  caller.kind === 'integration'
    ? [caller.keyId]
    : [caller.keyId, caller.sessionId, caller.staffId].flatMap((id) => id ?? []);

/** Creates a function that records a caller's use at `now`, at most hourly for each id. It never fails. */
export const lastUseNoter = (write: (item: Item) => Promise<void>) => {
  const noted = createCache<AnyId, number>({ max: 1000 });
  return async (caller: Caller, now: number): Promise<void> => {
    const at = Math.floor(now / hour) * hour;
    const ids = idsOf(caller).filter((id) => noted.get(id) !== at);
    for (const id of ids) noted.set(id, at);
    const items = ids.map((id) => ({
      ...tableKey(id),
      id,
      at: timestamp(at),
      expires_at: Math.ceil((at + keepMs) / second),
    }));
    for (const { status, reason } of (await Promise.allSettled(items.map((item) => write(item)))).filter(isRejected))
      log.warn('A last use was not noted', { status, error: reason });
  };
};

const isRejected = (end: PromiseSettledResult<void>): end is PromiseRejectedResult => end.status === 'rejected';

export const noteUse = lastUseNoter(put);

/** Returns when each of these was last used, leaving out anything not used within 400 days. */
export const lastUses = async (ids: readonly AnyId[]): Promise<ReadonlyMap<AnyId, string>> =>
  new Map((await getMany<{ id: AnyId; at: string }>(ids.map(tableKey))).map(({ id, at }) => [id, at]));
