/** Publishes `delivery.failed` when a delivery has failed for good, if a webhook subscribes to it. */
import type { OutboxMessage } from '../../due/outbox.ts';
import { ownEvent } from '../../events/own-event.ts';
import { minute, systemClock } from '../../foundation/clock.ts';
import { operationalEvents } from '../../foundation/event-names.ts';
import { listSubscribers } from '../../webhooks/subscriptions.ts';
import type { Delivery } from '../delivery.ts';
import { presentDelivery } from '../resource.ts';

const event = 'delivery.failed';

/** A final failure, except of a ping or of an operational event's delivery. */
const isFailure = ({ status, trigger, event: name }: Delivery): boolean =>
  (status === 'failed' || status === 'blocked') && trigger !== 'ping' && !operationalEvents.includes(name);

/** Whether webhooks subscribe, cached for a minute: an outage ends in many failures at once. */
let known: { readonly isSubscribed: boolean; readonly readAt: number } | undefined;

/** Returns whether a delivery's end must be published. Never fails: if the table does not answer, it is. */
export const mustReport = async (delivery: Delivery): Promise<boolean> => {
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

/** Returns the event about a failed delivery, which is stored with the step that ends it. */
export const failureMessage = (delivery: Delivery): OutboxMessage =>
  ownEvent(event, `delivery-failed-${delivery.id}`, delivery.last_attempt_at ?? delivery.created_at, {
    delivery: { current: presentDelivery(delivery), previous: {} },
  });
