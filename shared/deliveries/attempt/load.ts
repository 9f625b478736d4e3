/** Loads a batch's webhooks, deliveries and events in one to three requests; events are cached per environment. */
import type { EventBody } from '../../events/event.ts';
import { withPayloads } from '../../events/parts.ts';
import { type BuildBody, bodyBuilder } from '../../events/payload.ts';
import { eventBodyKey, eventBodyOf, hashOfEventBody } from '../../events/store.ts';
import { createCache } from '../../foundation/cache.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import { getMany } from '../../table/batch.ts';
import { distinct, type Item } from '../../table/table-key.ts';
import type { Options } from '../../webhooks/options-resource.ts';
import { loadOptions } from '../../webhooks/options-store.ts';
import { webhookKey, webhookOfKey } from '../../webhooks/table-keys.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { Delivery, DeliveryMessage } from '../delivery.ts';
import { deliveryKey, deliveryOf, isDeliveryItem } from '../records/row.ts';

export interface LoadedEvent {
  readonly build: BuildBody;
  /** ISO time at which it was accepted. */
  readonly created_at: string;
  readonly traceparent?: string | undefined;
}

export interface Loaded {
  readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
  readonly webhooks: ReadonlyMap<WebhookId, Webhook>;
  readonly options: ReadonlyMap<WebhookId, Options>;
  readonly events: ReadonlyMap<string, LoadedEvent>;
}

/** The newest events, which never change. Weighted by the characters of the payload's text and bytes, plus overhead. */
const cache = createCache<string, LoadedEvent>({ max: 8 * 1024 * 1024 });
const overhead = 1024;

type LoadableEvent = Pick<EventBody, 'event' | 'payload' | 'created_at' | 'traceparent'>;

/** Converts an event to the form that attempts use. */
export const loadedEvent = (event: LoadableEvent): LoadedEvent => ({
  build: bodyBuilder(event.event, event.payload),
  created_at: event.created_at,
  traceparent: event.traceparent,
});

const cached = (hash: string, event: LoadableEvent): LoadedEvent => {
  const known = cache.get(hash);
  if (known !== undefined) return known;
  const loaded = loadedEvent(event);
  cache.set(hash, loaded, overhead + 2 * event.payload.length);
  return loaded;
};

/** Loads webhooks, deliveries and events of these messages. */
export const load = async (messages: readonly DeliveryMessage[]): Promise<Loaded> => {
  const events = new Map<string, LoadedEvent>();
  for (const { body_hash } of messages) {
    const loaded = cache.get(body_hash);
    if (loaded !== undefined) events.set(body_hash, loaded);
  }
  const unknown = new Set(messages.map(({ body_hash }) => body_hash).filter((hash) => !events.has(hash)));
  const recipients = new Set(messages.map(({ webhook_id }) => webhook_id));
  const items = await getMany<Item>([
    ...[...recipients].map(webhookKey),
    ...distinct(messages.map(({ webhook_id, delivery_id }) => deliveryKey(webhook_id, delivery_id))),
    ...[...unknown].map(eventBodyKey),
  ]);
  const webhooks = new Map<WebhookId, Webhook>();
  const bodies = new Map<string, EventBody>();
  for (const item of items) {
    const webhook = webhookOfKey(item);
    const hash = hashOfEventBody(item);
    if (webhook !== undefined) webhooks.set(webhook, item as unknown as Webhook);
    else if (hash !== undefined) bodies.set(hash, eventBodyOf(item));
  }
  const [withPayload, options] = await Promise.all([withPayloads(bodies), loadOptions(webhooks, recipients)]);
  for (const [hash, body] of withPayload) events.set(hash, cached(hash, body));
  const recorded = items.filter(isDeliveryItem).map(deliveryOf);
  return { webhooks, options, events, deliveries: new Map(recorded.map((delivery) => [delivery.id, delivery])) };
};
