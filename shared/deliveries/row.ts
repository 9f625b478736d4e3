/**
 * The item of a delivery. Most deliveries succeed at their first attempt, and storage is priced by size (docs/cost.md): they have a short form,
 * without what follows from the key and from that attempt.
 */
import { dueAt } from '../due/due-index.ts';
import { timestamp } from '../foundation/clock.ts';
import { type DeliveryId, timeOfId, type WebhookId } from '../foundation/ids.ts';
import type { Item, Key } from '../table/table-key.ts';
import type { Delivery } from './delivery.ts';
import type { Trigger } from './resource.ts';

const [webhookPrefix, deliveryPrefix] = ['WEBHOOK#', 'DELIVERY#'];

export const deliveryKey = (webhook: WebhookId, id: DeliveryId): Key => ({
  pk: `${webhookPrefix}${webhook}`,
  sk: `${deliveryPrefix}${id}`,
});

/** The attributes of the short form, beside the key. */
interface Short {
  readonly event: string;
  readonly event_id: string;
  /** The bytes of `body_hash`. */
  readonly body: Uint8Array;
  /** API version, status, ms from `created_at` to the attempt, ms that it took, and of its phases; `-` for one that did not happen. */
  readonly delivered: string;
  /** Missing if it is null. */
  readonly response?: string;
  /** Missing if it is `event`. */
  readonly trigger?: Trigger;
  readonly expires_at: number;
}

/** Returns the delivery of an item in either form. */
export const deliveryOf = (item: object): Delivery =>
  'delivered' in item ? expanded(item as Key & Short) : (item as Delivery);

const expanded = ({ pk, sk, ...short }: Key & Short): Delivery => {
  const id = sk.slice(deliveryPrefix.length) as DeliveryId;
  const [api_version = '', status = '', waited, took, ...phases] = short.delivered.split(' ');
  const [dns_ms = null, connect_ms = null, tls_ms = null, first_byte_ms = null] = phases.map((ms) =>
    ms === '-' ? null : Number(ms),
  );
  const createdAt = timeOfId(id);
  const started_at = timestamp(createdAt + Number(waited));
  return {
    id,
    webhook_id: pk.slice(webhookPrefix.length) as WebhookId,
    event: short.event,
    event_id: short.event_id,
    body_hash: Buffer.from(short.body).toString('hex'),
    api_version,
    status: 'delivered',
    trigger: short.trigger ?? 'event',
    attempts: 1,
    created_at: timestamp(createdAt),
    last_attempt_at: started_at,
    next_attempt_at: null,
    last_status: status,
    last_error: null,
    waiting_for: null,
    expires_at: short.expires_at,
    log: [
      {
        number: 1,
        started_at,
        duration_ms: Number(took),
        timings: { dns_ms, connect_ms, tls_ms, first_byte_ms },
        status,
        error: null,
        response: short.response ?? null,
      },
    ],
  };
};

/** Returns the item of a delivery. `due` is when the sweep should check it, in epoch ms; without it, an earlier due time is removed. */
export const itemOf = (delivery: Delivery, due?: number): Item => {
  const key = deliveryKey(delivery.webhook_id, delivery.id);
  if (due !== undefined) return { ...delivery, ...key, ...dueAt(key, due) };
  return { ...(shortOf(delivery) ?? { ...delivery, due: undefined, due_at: undefined }), ...key };
};

/** Returns the short form; undefined for a delivery with more or other steps than one attempt that succeeded. */
const shortOf = (delivery: Delivery): Short | undefined => {
  const { id, event, event_id, body_hash, api_version, status, trigger, attempts, created_at, log, expires_at } =
    delivery;
  const [attempt] = log;
  if (status !== 'delivered' || attempts !== 1 || attempt === undefined || api_version === undefined) return undefined;
  const createdAt = timeOfId(id);
  if (timestamp(createdAt) !== created_at || !/^[0-9a-f]{64}$/.test(body_hash)) return undefined;
  const { dns_ms, connect_ms, tls_ms, first_byte_ms } = attempt.timings;
  const phases = `${dns_ms ?? '-'} ${connect_ms ?? '-'} ${tls_ms ?? '-'} ${first_byte_ms ?? '-'}`;
  const waited = Date.parse(attempt.started_at) - createdAt;
  return {
    event,
    event_id,
    body: Buffer.from(body_hash, 'hex'),
    delivered: `${api_version} ${attempt.status} ${waited} ${attempt.duration_ms} ${phases}`,
    ...(attempt.response !== null && { response: attempt.response }),
    ...(trigger !== 'event' && { trigger }),
    expires_at,
  };
};
