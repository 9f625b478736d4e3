/** Pages of logs: lists of deliveries in the order of their ids, which begin with the time of acceptance. */
import type { DeliveryId } from '../../foundation/ids.ts';
import type { Delivery } from '../delivery.ts';

/** Which deliveries to read. Times in epoch ms, `since` included, `until` not. */
export interface LogOptions {
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly newestFirst: boolean;
  readonly limit: number;
  /** Only deliveries after this place: the id of a delivery, or a `next`. */
  readonly after: DeliveryId | undefined;
}

export interface LogPage {
  readonly deliveries: readonly Delivery[];
  /** All deliveries up to this place were read; undefined at the end of the log. A page before the end may be empty. */
  readonly next: DeliveryId | undefined;
}

export type ReadLog = (options: LogOptions) => Promise<LogPage>;

/** Returns several logs as one. */
export const mergedLog =
  (logs: readonly ReadLog[]): ReadLog =>
  async (options) => {
    const { newestFirst, limit } = options;
    const pages = await Promise.all(logs.map((read) => read(options)));
    const [next] = pages.flatMap((page) => page.next ?? []).sort(idOrder(newestFirst));
    const complete = inOrder(
      pages.flatMap(({ deliveries }) => deliveries),
      newestFirst,
    ).filter(({ id }) => next === undefined || idOrder(newestFirst)(id, next) <= 0);
    if (complete.length <= limit) return { deliveries: complete, next };
    const deliveries = complete.slice(0, limit);
    return { deliveries, next: deliveries.at(-1)?.id };
  };

const ascending = (one: DeliveryId, other: DeliveryId): number => Number(one > other) - Number(one < other);

const idOrder = (newestFirst: boolean) =>
  newestFirst ? (one: DeliveryId, other: DeliveryId) => ascending(other, one) : ascending;

/**
 * Sorts deliveries by id. A delivery in two logs is kept once, as a success: its own item comes from a message that was received at the same time,
 * and is replaced later (`batch.ts`).
 */
export const inOrder = (deliveries: readonly Delivery[], newestFirst: boolean): Delivery[] => {
  const shown = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    const place = `${delivery.webhook_id} ${delivery.id}`;
    if (delivery.status === 'delivered' || !shown.has(place)) shown.set(place, delivery);
  }
  const order = idOrder(newestFirst);
  return [...shown.values()].sort((one, other) => order(one.id, other.id));
};
