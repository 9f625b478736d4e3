/**
 * The deliveries of one event. Their ids are derived from the event and the webhook, so they are read by their keys, whatever their age. Those that are
 * accepted but not recorded yet, because they wait in a lane or for fan-out, are computed, so that a delivery that succeeds at once needs no other write.
 */
import { bodyHash, type EventBody } from '../../events/event.ts';
import { isOfPing } from '../../events/publisher.ts';
import { readEventBodies } from '../../events/store.ts';
import { day, minute } from '../../foundation/clock.ts';
import { mastheadEvents } from '../../foundation/event-names.ts';
import { covers } from '../../foundation/event-selection.ts';
import { timeOfId, type WebhookId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { passes } from '../attempt/decide.ts';
import { load } from '../attempt/load.ts';
import { type Delivery, type DeliveryMessage, firstMessage, newDelivery } from '../delivery.ts';
import { requestedDeliveries } from '../records/undelivered.ts';

/** The age at which an event counts as sent; lanes have backlogs of minutes. Without it, a later change of a filter could make deliveries appear. */
const shownMs = day;

/** Returns the events with this id by any of these publishers that are still stored. As a rule there is one. */
export const eventsWithId = (id: string, publishers: readonly string[]): Promise<EventBody[]> =>
  readEventBodies(publishers.map((publisher) => ({ publisher, id })));

/** Returns the deliveries of an event to these webhooks. `now` in epoch ms. */
export const deliveriesOf = async (
  event: EventBody,
  webhooks: readonly WebhookId[],
  settings: Settings['deliveries'],
  now: number,
): Promise<Delivery[]> => {
  const acceptedAt = Date.parse(event.created_at);
  const body_hash = bodyHash(event.publisher, event.id);
  const requested = requestedDeliveries(body_hash, new Set(webhooks));
  if (isOfPing(event)) return requested;
  const ofEvent = { body_hash, event: event.event, event_id: event.id, created_at: event.created_at };
  // Fan-out allows a minute for differing clocks.
  const messages = webhooks.filter((id) => timeOfId(id) <= acceptedAt + minute).map((id) => firstMessage(ofEvent, id));
  const loaded = await load(messages);
  const recorded = [...loaded.deliveries.values(), ...(await requested)];
  // Masthead's own events have an audience other than all subscribers.
  const isCurrent = !mastheadEvents.includes(event.event) && now <= acceptedAt + shownMs;
  if (!isCurrent) return recorded;
  const waits = ({ delivery_id, webhook_id }: DeliveryMessage): boolean =>
    !loaded.deliveries.has(delivery_id) && isRecipient(loaded.webhooks.get(webhook_id));
  const stored = loaded.events.get(body_hash);
  const isRecipient = (webhook: Webhook | undefined): boolean =>
    webhook !== undefined &&
    covers(webhook.event, event.event) &&
    Date.parse(webhook.updated_at) <= acceptedAt &&
    stored !== undefined &&
    passes(loaded.options.get(webhook.id), webhook, event.event, stored);
  return [...recorded, ...messages.filter(waits).map((message) => newDelivery(message, settings, now))];
};
