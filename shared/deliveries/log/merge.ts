/** Lists deliveries, newest first and filtered, by merging several logs in the order of their ids (ADR 11). */
import { type DeliveryId, idTime, timeOfId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import type { Delivery } from '../delivery.ts';
import { inOrder, type ReadLog } from '../records/log-page.ts';
import { isKept } from './browse.ts';
import { conditionOf, type DeliveryFilter, matches } from './filter.ts';

/** Concurrent queries, within the connections of the table's client. */
const concurrency = 50;
/** Maximum queries per response, beyond the first one for each log; then the list continues in the next request. */
const maxFurther = 60;
const maxPage = 100;
/** The maximum deliveries that a query with a condition looks through: a megabyte, where DynamoDB ends a page. */
const maxSearched = 4000;

interface Log {
  readonly read: ReadLog;
  /** Deliveries that are not listed yet, newest first. */
  readonly waiting: Delivery[];
  /** How far the log was read; undefined once its end was reached. */
  place: DeliveryId | undefined;
  size: number;
}

export interface MergedPage {
  readonly deliveries: Delivery[];
  /** Where to continue; null at the end of the list. */
  readonly next: DeliveryId | null;
  /** If the search ended before the page was full and before the end of the list: how far it went, in epoch ms. */
  readonly searchedTo?: number;
}

/** Lists at most `limit` deliveries of these logs after `after`. */
export const mergeDeliveries = async (
  sources: readonly ReadLog[],
  filter: DeliveryFilter,
  limit: number,
  after: DeliveryId | undefined,
): Promise<MergedPage> => {
  const limited = semaphore(concurrency);
  const where = conditionOf(filter);
  const [first, max] = where === undefined ? [2 * limit, maxPage] : [2 * maxSearched, maxSearched];
  const size = Math.min(max, Math.max(2, Math.ceil(first / sources.length)));
  const logs = sources.map((read): Log => ({ read, waiting: [], place: after, size }));
  const read = (log: Log): Promise<void> =>
    limited(async () => {
      const { since, until } = filter;
      const { deliveries, next } = await log.read({
        since,
        until,
        newestFirst: true,
        limit: log.size,
        after: log.place,
        where,
      });
      log.waiting.push(...deliveries);
      log.place = next;
      // A drained log has much to list, so its pages grow to the size of those of a single webhook.
      log.size = Math.min(max, 4 * log.size);
    });

  const found: Delivery[] = [];
  let place = after;
  let toRead: readonly Log[] = logs;
  for (let further = 0; ; further += toRead.length) {
    await Promise.all(toRead.map(read));
    // Deliveries newer than the current place of every log are in their final position.
    const horizon = newest(logs.flatMap((log) => log.place ?? []));
    for (const delivery of takeUpTo(logs, horizon)) {
      if (isKept(delivery) && matches(delivery, filter)) {
        if (found.length === limit) return { deliveries: found, next: place ?? null };
        found.push(delivery);
      }
      place = delivery.id;
    }
    toRead = logs.filter(({ place, waiting }) => place !== undefined && waiting.length === 0);
    if (toRead.length === 0) return { deliveries: found, next: null };
    place = horizon;
    if (further + toRead.length > maxFurther)
      return { deliveries: found, next: horizon, searchedTo: timeOfId(horizon) };
  }
};

const newest = (ids: readonly DeliveryId[]): DeliveryId =>
  ids.reduce((last, id) => (id > last ? id : last), idTime(0) as DeliveryId);

/** Removes the deliveries in final position from the logs, newest first. */
const takeUpTo = (logs: readonly Log[], horizon: DeliveryId): Delivery[] =>
  inOrder(
    logs.flatMap(({ waiting }) => {
      const rest = waiting.findIndex(({ id }) => id < horizon);
      return waiting.splice(0, rest === -1 ? waiting.length : rest);
    }),
    true,
  );
