/** The deliveries of one event, read by their derived ids whatever their age; those not recorded yet are computed. */
import { bodyHash, type EventBody, hasId, publishersIds } from '../../events/event.ts';
import { isOfPing } from '../../events/publisher.ts';
import { readEventBodies } from '../../events/store.ts';
import { mismatchOf } from '../../formats/match.ts';
import { currentApiVersion } from '../../foundation/api-version.ts';
import { day, minute } from '../../foundation/clock.ts';
import { mastheadEvents } from '../../foundation/event-names.ts';
import { covers } from '../../foundation/event-selection.ts';
import { timeOfId, type WebhookId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { load } from '../attempt/load.ts';
import { type Delivery, type DeliveryMessage, firstMessage, newDelivery } from '../delivery.ts';
import { requestedDeliveries } from '../records/undelivered.ts';
import { type Told, tellOf } from './titles.ts';

/** The age at which an event counts as sent, so that a later change of a filter makes no deliveries appear. */
const shownMs = day;

/** Returns the events with this id by any of these publishers that are still stored. As a rule there is one. */
export const eventsWithId = async (wanted: string, publishers: readonly string[]): Promise<EventBody[]> => {
  const ids = publishersIds(wanted);
  const events = await readEventBodies(publishers.flatMap((publisher) => ids.map((id) => ({ publisher, id }))));
  return events.filter(({ publisher, id }) => hasId(id, bodyHash(publisher, id), wanted));
};

export interface EventOutcome {
  readonly deliveries: readonly Delivery[];
  /** What it is about; undefined if the payload is no longer stored. */
  readonly told: Told | undefined;
  /** The subscribers whose present filter leaves the event out, each with the part that does. */
  readonly leftOut: readonly { readonly webhook_id: WebhookId; readonly part: string }[];
  /** The subscribers that were changed after the event: perhaps they subscribed to it only then. */
  readonly changed: readonly WebhookId[];
  readonly later: readonly WebhookId[];
}

/** Returns what became of an event at these webhooks. `now` in epoch ms. */
export const outcomeOf = async (
  event: EventBody,
  webhooks: readonly WebhookId[],
  settings: Settings['deliveries'],
  now: number,
): Promise<EventOutcome> => {
  const acceptedAt = Date.parse(event.created_at);
  const body_hash = bodyHash(event.publisher, event.id);
  const requested = requestedDeliveries(body_hash, new Set(webhooks));
  const ofEvent = { body_hash, event: event.event, event_id: event.id, created_at: event.created_at };
  const messages = webhooks.map((id) => firstMessage(ofEvent, id));
  const loaded = await load(messages);
  const stored = loaded.events.get(body_hash);
  const told = stored && tellOf(event, stored.build(currentApiVersion).parsed());
  const recorded = [...loaded.deliveries.values(), ...(await requested)];
  // A ping's event has no subscribers, and Masthead's own events have an audience other than all of them.
  if (isOfPing(event) || mastheadEvents.includes(event.event))
    return { deliveries: recorded, told, leftOut: [], changed: [], later: [] };
  const subscribers = messages.flatMap((message): Subscriber[] => {
    const webhook = loaded.webhooks.get(message.webhook_id);
    const isSubscribed = webhook !== undefined && covers(webhook.event, event.event);
    return isSubscribed && !loaded.deliveries.has(message.delivery_id) ? [{ message, webhook }] : [];
  });
  // Fan-out allows a minute for differing clocks.
  const isLater = ({ webhook }: Subscriber): boolean => timeOfId(webhook.id) > acceptedAt + minute;
  const mismatch = ({ webhook: { id, api_version } }: Subscriber): string | undefined => {
    const filter = loaded.options.get(id)?.filter;
    if (filter == null || stored === undefined) return undefined;
    return mismatchOf(filter, event.event, stored.build(api_version).parsed());
  };
  const then = subscribers.filter((one) => !isLater(one)).map((one) => ({ ...one, part: mismatch(one) }));
  const passing = then.filter(({ part }) => part === undefined);
  const isUnchanged = ({ webhook }: Subscriber): boolean => Date.parse(webhook.updated_at) <= acceptedAt;
  const isCurrent = stored !== undefined && now <= acceptedAt + shownMs;
  const waiting = isCurrent ? passing.filter(isUnchanged) : [];
  return {
    deliveries: [...recorded, ...waiting.map(({ message }) => newDelivery(message, settings, now))],
    told,
    leftOut: then.flatMap(({ webhook, part }) => (part === undefined ? [] : [{ webhook_id: webhook.id, part }])),
    changed: passing.filter((one) => !isUnchanged(one)).map(({ webhook }) => webhook.id),
    later: subscribers.filter(isLater).map(({ webhook }) => webhook.id),
  };
};

/** A webhook that subscribes to the event now, and has no record of its delivery. */
interface Subscriber {
  readonly message: DeliveryMessage;
  readonly webhook: Webhook;
}
