/**
 * Deliveries that are accepted but not recorded yet, because they wait in a lane or for fan-out. They are computed from the event and its
 * subscribers, so that a delivery that succeeds at once appears in the log without an additional write.
 */
import { bodyHash, type EventBody } from '../../events/event.ts';
import { readEventBodies } from '../../events/store.ts';
import { day } from '../../foundation/clock.ts';
import { mastheadEvents } from '../../foundation/event-names.ts';
import { timeOfId, type WebhookId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { passes } from '../attempt/decide.ts';
import { load } from '../attempt/load.ts';
import { type Delivery, firstMessage, newDelivery } from '../delivery.ts';
import type { ReadLog } from '../records/log-page.ts';

/** The age at which an event counts as sent; lanes have backlogs of minutes. Without it, a later change of a filter could make deliveries appear. */
const shownMs = day;

/**
 * Returns the waiting deliveries of the events with this id by any of these publishers, for those webhooks that were subscribed when the event was
 * accepted and have not changed since. `now` in epoch ms.
 */
export const waitingLog = async (
  id: string,
  publishers: readonly string[],
  webhooks: readonly WebhookId[],
  settings: Settings['deliveries'],
  now: number,
): Promise<ReadLog> => {
  const events = await readEventBodies(publishers.map((publisher) => ({ publisher, id })));
  // Masthead's own events have an audience other than all subscribers.
  const current = events.filter(
    ({ event, created_at }) => !mastheadEvents.includes(event) && now <= Date.parse(created_at) + shownMs,
  );
  const waiting = (await Promise.all(current.map((event) => waitingOf(event, webhooks, settings, now)))).flat();
  return async ({ since, until, newestFirst, after }) => {
    const isBehind = (one: string) => after === undefined || (newestFirst ? one < after : one > after);
    const isWithin = (ms: number) => (since === undefined || ms >= since) && (until === undefined || ms < until);
    const deliveries = waiting.filter((one) => isBehind(one.id) && isWithin(timeOfId(one.id)));
    return {
      deliveries: deliveries.sort((one, other) => (one.id < other.id === newestFirst ? 1 : -1)),
      next: undefined,
    };
  };
};

const waitingOf = async (
  event: EventBody,
  webhooks: readonly WebhookId[],
  settings: Settings['deliveries'],
  now: number,
): Promise<Delivery[]> => {
  const acceptedAt = Date.parse(event.created_at);
  const body_hash = bodyHash(event.publisher, event.id);
  const ofEvent = { body_hash, event: event.event, event_id: event.id, created_at: event.created_at };
  const messages = webhooks.filter((id) => timeOfId(id) <= acceptedAt).map((id) => firstMessage(ofEvent, id));
  const { webhooks: records, options, deliveries, events } = await load(messages);
  const loaded = events.get(body_hash);
  const isRecipient = (webhook: Webhook | undefined): boolean =>
    webhook?.event === event.event &&
    Date.parse(webhook.updated_at) <= acceptedAt &&
    loaded !== undefined &&
    passes(options.get(webhook.id), webhook, loaded);
  return messages
    .filter(({ delivery_id, webhook_id }) => !deliveries.has(delivery_id) && isRecipient(records.get(webhook_id)))
    .map((message) => newDelivery(message, settings, now));
};
