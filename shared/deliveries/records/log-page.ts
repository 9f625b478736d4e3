/** Pages of logs: lists of deliveries in the order of their ids, which begin with the time of acceptance. */
import type { DeliveryId } from '../../foundation/ids.ts';
import { type Delivery, isBehind } from '../delivery.ts';

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

/** Sorts deliveries by id. One in two logs is kept once, in the form that has come further: it was recorded between the two reads. */
export const inOrder = (deliveries: readonly Delivery[], newestFirst: boolean): Delivery[] => {
  const shown = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    const place = `${delivery.webhook_id} ${delivery.id}`;
    const other = shown.get(place);
    if (other === undefined || isBehind(other, delivery)) shown.set(place, delivery);
  }
  const direction = newestFirst ? -1 : 1;
  return [...shown.values()].sort((one, other) => direction * (Number(one.id > other.id) - Number(one.id < other.id)));
};
