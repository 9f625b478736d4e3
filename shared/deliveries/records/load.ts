/** Loads the table's records of a batch of deliveries, in the same request as everything else that the batch reads. */
import type { DeliveryId } from '../../foundation/ids.ts';
import { getMany } from '../../table/batch.ts';
import { distinct, type Item, type Key } from '../../table/table-key.ts';
import { type Delivery, type DeliveryMessage, isUnfinished } from '../delivery.ts';
import { type CohortItem, cohortKey, inCohort, isCohortItem, ownItem } from './cohort.ts';
import { deliveryKey, deliveryOf, isDeliveryItem } from './row.ts';

/** What is recorded of deliveries. */
export interface Recorded {
  readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
  /** Successes whose own items still announce another attempt, because two messages for one attempt were received at the same time. */
  readonly settled: readonly Delivery[];
}

const ownKey = ({ webhook_id, delivery_id }: DeliveryMessage): Key => deliveryKey(webhook_id, delivery_id);

const sharedKey = ({ webhook_id, delivery_id, body_hash }: DeliveryMessage): Key =>
  cohortKey({ webhook_id, id: delivery_id, body_hash });

/** Returns the keys of the items that may have these deliveries. */
export const keysOf = (messages: readonly DeliveryMessage[]): Key[] => {
  const ofEvents = messages.filter(({ trigger }) => trigger === 'event');
  // Before its first attempt, a delivery of an event has its own item only if the shared item has its mark.
  const withOwnItem = messages.filter(({ trigger, attempt }) => trigger !== 'event' || attempt > 1);
  return distinct([...withOwnItem.map(ownKey), ...ofEvents.map(sharedKey)]);
};

/** Returns the records of these deliveries. @param items the items of `keysOf`, possibly among others */
export const recordedIn = async (items: readonly Item[], messages: readonly DeliveryMessage[]): Promise<Recorded> => {
  const shared = new Map(items.filter(isCohortItem).map((item) => [`${item.pk} ${item.sk}`, item]));
  const deliveries = new Map(
    items
      .filter(isDeliveryItem)
      .map(deliveryOf)
      .map((delivery) => [delivery.id, delivery]),
  );
  const found = messages.flatMap((message) => {
    const member = message.trigger === 'event' ? memberIn(shared, message) : undefined;
    return member === undefined ? [] : [{ message, member }];
  });
  // Also check whether the delivery has its own item; a second message for a delivery is rare.
  const unread = found.map(({ message }) => message).filter(({ delivery_id }) => !deliveries.has(delivery_id));
  for (const item of await getMany<Item>(distinct(unread.map(ownKey)))) {
    const delivery = deliveryOf(item);
    deliveries.set(delivery.id, delivery);
  }
  const settled: Delivery[] = [];
  for (const { member } of found) {
    if (member === ownItem) continue;
    const own = deliveries.get(member.id);
    if (own !== undefined && isUnfinished(own)) settled.push(member);
    deliveries.set(member.id, member);
  }
  return { deliveries, settled };
};

const memberIn = (shared: ReadonlyMap<string, CohortItem>, message: DeliveryMessage) => {
  const { pk, sk } = sharedKey(message);
  const item = shared.get(`${pk} ${sk}`);
  return item && inCohort(item, message.webhook_id);
};
