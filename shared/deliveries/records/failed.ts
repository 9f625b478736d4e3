/**
 * Publishes `delivery.failed` if a webhook subscribes to it. The step that ends a delivery as failed leaves the delivery due; the sweep then
 * publishes the event and removes the mark. So a successful delivery needs no extra write, and a crash loses no event.
 */
import { send } from '../../aws/queues.ts';
import type { DueKey } from '../../due/due-index.ts';
import type { AcceptedEvent } from '../../events/event.ts';
import { minute, systemClock } from '../../foundation/clock.ts';
import { operationalEvents } from '../../foundation/event-names.ts';
import { is } from '../../table/condition.ts';
import { tryWrite } from '../../table/conditional.ts';
import { update } from '../../table/item.ts';
import { listSubscribers } from '../../webhooks/subscriptions.ts';
import type { Delivery } from '../delivery.ts';
import { presentDelivery } from '../resource.ts';

const event = 'delivery.failed';

/** A final failure, except of a ping or of an operational event's delivery. */
const isFailure = ({ status, trigger, event: name }: Delivery): boolean =>
  (status === 'failed' || status === 'blocked') && trigger !== 'ping' && !operationalEvents.includes(name);

/** Whether webhooks subscribe, cached for a minute, because an outage ends in many failures at once and each would ask. */
let known: { readonly isSubscribed: boolean; readonly readAt: number } | undefined;

/** Returns whether a delivery's end must be published. Never fails: if the table does not answer, the sweep finds out. */
export const mustAnnounce = async (delivery: Delivery): Promise<boolean> => {
  if (!isFailure(delivery)) return false;
  const now = systemClock();
  if (known !== undefined && now - known.readAt < minute) return known.isSubscribed;
  try {
    const isSubscribed = (await listSubscribers(event, 1, undefined)).subscribers.length > 0;
    known = { isSubscribed, readAt: now };
    return isSubscribed;
  } catch {
    return true;
  }
};

const failureOf = (delivery: Delivery): AcceptedEvent => ({
  kind: 'event',
  id: `delivery-failed-${delivery.id}`,
  publisher: 'masthead',
  event,
  accepted_at: delivery.last_attempt_at ?? delivery.created_at,
  payload: { delivery: { current: presentDelivery(delivery), previous: {} } },
});

/** Publishes these failures and removes their marks. @throws ServiceUnavailableError */
export const publishFailures = async (deliveries: readonly (Delivery & DueKey)[]): Promise<void> => {
  const failures = deliveries.filter(isFailure);
  await send(
    'events',
    failures.map((delivery) => ({ body: failureOf(delivery), group: 'masthead' })),
  );
  await Promise.all(
    failures.map(({ pk, sk, due_at }) =>
      tryWrite(update({ pk, sk }, { remove: ['due', 'due_at'] }, is('due_at', due_at))),
    ),
  );
};
