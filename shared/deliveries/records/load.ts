/** Loads the table's records of a batch of deliveries, in the same request as everything else that the batch reads. */
import type { DeliveryId } from '../../foundation/ids.ts';
import { distinct, type Item, type Key } from '../../table/table-key.ts';
import type { Delivery, DeliveryMessage } from '../delivery.ts';
import { deliveryKey, deliveryOf, isDeliveryItem } from './row.ts';

/** Returns the keys of the items that may have these deliveries. */
export const keysOf = (messages: readonly DeliveryMessage[]): Key[] =>
  distinct(messages.map(({ webhook_id, delivery_id }) => deliveryKey(webhook_id, delivery_id)));

/** Returns the records among these items. */
export const recordedIn = (items: readonly Item[]): ReadonlyMap<DeliveryId, Delivery> =>
  new Map(
    items
      .filter(isDeliveryItem)
      .map(deliveryOf)
      .map((delivery) => [delivery.id, delivery]),
  );
