/**
 * Reads the data of a batch of deliveries: webhooks and deliveries each time, event bodies once per environment. One request and a query for
 * each neighbourhood of webhooks at the same time, and one more request if an event is large.
 */
import type { EventBody } from '../../events/event.ts';
import { withPayloads } from '../../events/parts.ts';
import { type BuildBody, bodyBuilder } from '../../events/payload.ts';
import { eventBodyKey, eventBodyOf } from '../../events/store.ts';
import { createCache } from '../../foundation/cache.ts';
import type { DeliveryId, WebhookId } from '../../foundation/ids.ts';
import { getMany } from '../../table/batch.ts';
import { queryAll } from '../../table/query.ts';
import { distinct, type Item, type Key } from '../../table/table-key.ts';
import { readsOf } from '../../webhooks/neighbours.ts';
import { webhookOfKey } from '../../webhooks/table-keys.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, type DeliveryMessage, isUnfinished } from '../delivery.ts';
import { apart, type CohortItem, cohortKey, inCohort, isCohortItem } from '../records/cohort.ts';
import { deliveryKey, deliveryOf } from '../records/row.ts';

/** An event whose body is still stored. */
export interface LoadedEvent {
  readonly build: BuildBody;
  /** ISO time at which it was accepted. */
  readonly created_at: string;
}

/** The found items, without missing ones. Those of webhooks may be of others too. */
export interface Loaded {
  readonly webhooks: ReadonlyMap<WebhookId, Webhook>;
  readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
  /** By the hash of the body. */
  readonly events: ReadonlyMap<string, LoadedEvent>;
  /** Successes whose own items still say that an attempt follows: two messages for one attempt were received at the same time. */
  readonly settled: readonly Delivery[];
}

/** Caches the newest events, which never change. Weights are characters: of the payload as text and as bytes, and of the object. */
const cache = createCache<string, LoadedEvent>({ max: 8 * 1024 * 1024 });
const overhead = 1024;

type LoadableEvent = Pick<EventBody, 'event' | 'payload' | 'created_at'>;

/** Returns an event in the form for attempts. */
export const loadedEvent = (event: LoadableEvent): LoadedEvent => ({
  build: bodyBuilder(event.event, event.payload),
  created_at: event.created_at,
});

const keep = (hash: string, event: LoadableEvent): LoadedEvent => {
  const loaded = loadedEvent(event);
  cache.set(hash, loaded, overhead + 2 * event.payload.length);
  return loaded;
};

/** Reads webhooks, deliveries and events of these messages. */
export const load = async (messages: readonly DeliveryMessage[]): Promise<Loaded> => {
  const webhooks = new Map<WebhookId, Webhook>();
  const deliveries = new Map<DeliveryId, Delivery>();
  const events = new Map<string, LoadedEvent>();
  const keys: Key[] = [];
  const recipients = new Set<WebhookId>();
  // DynamoDB refuses a batch that names a key twice.
  const wanted = new Set<string>();
  let last: DeliveryMessage | undefined;
  for (const message of messages) {
    const { webhook_id, delivery_id, body_hash, cohort, attempt, payload } = message;
    recipients.add(webhook_id);
    // Before its first attempt a delivery of a cohort has no item of its own, except for one that the cohort's item names.
    if ((cohort === undefined || attempt > 1) && isNew(wanted, delivery_id))
      keys.push(deliveryKey(webhook_id, delivery_id));
    // Nearly all are of the same event and cohort as the one before.
    const isSame = last?.body_hash === body_hash && last.cohort === cohort;
    last = message;
    if (isSame) continue;
    if (cohort !== undefined && isNew(wanted, `${cohort} ${body_hash}`))
      keys.push(cohortKey(cohort, delivery_id, body_hash));
    if (!isNew(wanted, body_hash)) continue;
    const known = cache.get(body_hash);
    if (known !== undefined) events.set(body_hash, known);
    else if (payload !== undefined) events.set(body_hash, keep(body_hash, { ...message, payload }));
    else keys.push(eventBodyKey(body_hash));
  }
  const bodies = new Map<string, EventBody>();
  const cohorts = new Map<string, CohortItem>();
  const records = readsOf(recipients);
  const found = await Promise.all([
    getMany<Item>([...records.keys, ...keys]),
    ...records.ranges.map(({ pk, between }) => queryAll<Item>(pk, { between })),
  ]);
  for (const item of found.flat()) {
    const webhook = webhookOfKey(item);
    if (webhook !== undefined) webhooks.set(webhook, item as unknown as Webhook);
    else if (item.sk === 'EVENT') {
      bodies.set(item.pk.slice('EVENT_BODY#'.length), eventBodyOf(item));
    } else if (isCohortItem(item)) cohorts.set(`${item.pk} ${item.sk}`, item);
    else {
      const delivery = deliveryOf(item);
      deliveries.set(delivery.id, delivery);
    }
  }
  const settled = cohorts.size === 0 ? [] : await readCohorts(messages, cohorts, deliveries);
  for (const [hash, body] of await withPayloads(bodies)) events.set(hash, keep(hash, body));
  return { webhooks, deliveries, events, settled };
};

/**
 * Adds what the items of cohorts have: successes, and the items of others. A message of a delivery that has succeeded is rare, so it is worth a
 * read whether the delivery also has an item of its own. Returns the successes of those that have an unfinished one.
 */
const readCohorts = async (
  messages: readonly DeliveryMessage[],
  cohorts: ReadonlyMap<string, CohortItem>,
  deliveries: Map<DeliveryId, Delivery>,
): Promise<readonly Delivery[]> => {
  const successes: Delivery[] = [];
  const unread: Key[] = [];
  for (const { webhook_id, delivery_id, body_hash, cohort } of messages) {
    if (cohort === undefined) continue;
    const { pk, sk } = cohortKey(cohort, delivery_id, body_hash);
    const item = cohorts.get(`${pk} ${sk}`);
    const found = item && inCohort(item, webhook_id);
    if (found === undefined) continue;
    if (!deliveries.has(delivery_id)) unread.push(deliveryKey(webhook_id, delivery_id));
    if (found !== apart) successes.push(found);
  }
  for (const delivery of (await getMany<Item>(distinct(unread))).map(deliveryOf)) deliveries.set(delivery.id, delivery);
  const settled: Delivery[] = [];
  for (const success of successes) {
    const own = deliveries.get(success.id);
    if (own !== undefined && isUnfinished(own)) settled.push(success);
    // A batch can have two messages of one delivery, and DynamoDB refuses one that writes an item twice.
    deliveries.set(success.id, success);
  }
  return settled;
};

/** Adds a value to those seen, and returns whether it was not among them. */
export const isNew = <T>(seen: Set<T>, value: T): boolean => {
  const { size } = seen;
  return seen.add(value).size > size;
};
