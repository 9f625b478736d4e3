/** The item of a delivery, in short form for first successes: most are, and storage costs by size (docs/cost.md). */
import { dueAt } from '../../due/due-index.ts';
import { timestamp } from '../../foundation/clock.ts';
import { type DeliveryId, type IntegrationId, timeOfId, type WebhookId } from '../../foundation/ids.ts';
import type { Item, Key } from '../../table/table-key.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryState } from '../resource.ts';
import type { Trigger } from '../triggers.ts';

const [webhookPrefix, deliveryPrefix] = ['WEBHOOK#', 'DELIVERY#'];

/** The key of a delivery's own item. */
export const deliveryKey = (webhook: WebhookId, id: DeliveryId): Key => ({
  pk: `${webhookPrefix}${webhook}`,
  sk: `${deliveryPrefix}${id}`,
});

/** Returns the webhook and the delivery of a key. */
export const idsOfKey = ({ pk, sk }: Key): { readonly webhook_id: WebhookId; readonly id: DeliveryId } => ({
  webhook_id: pk.slice(webhookPrefix.length) as WebhookId,
  id: sk.slice(deliveryPrefix.length) as DeliveryId,
});

/** Each partition of an index bears 1,000 writes a second (DynamoDB limit). */
const undeliveredShards = 4;

/** Returns the partition of the index `undelivered` for a webhook's deliveries with a status other than `delivered`. */
export const undeliveredPartition = (
  { id, integration_id }: { readonly id: WebhookId; readonly integration_id: IntegrationId },
  status: DeliveryState,
): string => `${integration_id}#${status}#${Number.parseInt(id.slice(-1), 16) % undeliveredShards}`;

/** Returns whether a delivery was held and has been sent again, so that nobody need look for it. */
export const isResolved = ({ status, replayed_by }: Pick<Delivery, 'status' | 'replayed_by'>): boolean =>
  status === 'held' && replayed_by !== null;

/** Returns the keys in the indexes of the log (ADR 30); undefined ones are removed. First successes are in none. */
const indexKeysOf = ({ id, webhook_id, integration_id, status, trigger, replayed_by, body_hash }: Delivery) => {
  const isUndelivered = status !== 'delivered' && integration_id !== undefined && !isResolved({ status, replayed_by });
  const isRequested = trigger !== 'event';
  return {
    undelivered: isUndelivered ? undeliveredPartition({ id: webhook_id, integration_id }, status) : undefined,
    undelivered_at: isUndelivered ? id : undefined,
    requested: isRequested ? body_hash : undefined,
    requested_at: isRequested ? id : undefined,
  };
};

/** Returns whether an item belongs to a single delivery. */
export const isDeliveryItem = ({ sk }: Key): boolean => sk.startsWith(deliveryPrefix);

/** The attributes of the short form, in addition to the key. */
interface Short {
  readonly event: string;
  readonly event_id: string;
  /** The bytes of `body_hash`. */
  readonly body: Uint8Array;
  readonly delivered: string;
  /** Missing if it is null. */
  readonly response?: string;
  /** Missing if it is `event`. */
  readonly trigger?: Trigger;
  /** Missing if it is null. */
  readonly replayed_by?: DeliveryId;
  readonly expires_at: number;
}

/** Returns the delivery of an item in either form. */
export const deliveryOf = (item: object): Delivery =>
  'delivered' in item ? expanded(item as Key & Short) : (item as Delivery);

const expanded = ({ pk, sk, body, ...short }: Key & Short): Delivery =>
  afterSuccess({
    trigger: 'event',
    response: null,
    replayed_by: null,
    ...short,
    ...idsOfKey({ pk, sk }),
    body_hash: Buffer.from(body).toString('hex'),
  });

/** What is stored of a delivery that succeeded at its first attempt. */
interface Success
  extends Pick<Delivery, 'id' | 'webhook_id' | 'event' | 'event_id' | 'body_hash' | 'replayed_by' | 'expires_at'> {
  readonly trigger: Trigger;
  /** API version, status, ms from `created_at` to the attempt, its duration and that of each phase (`-` for none). */
  readonly delivered: string;
  readonly response: string | null;
}

/** Returns the delivery that the short form stands for. */
export const afterSuccess = ({ delivered, response, ...success }: Success): Delivery => {
  const [api_version = '', status = '', waited, took, ...phases] = delivered.split(' ');
  const [dns_ms = null, connect_ms = null, tls_ms = null, first_byte_ms = null] = phases.map((ms) =>
    ms === '-' ? null : Number(ms),
  );
  const createdAt = timeOfId(success.id);
  const started_at = timestamp(createdAt + Number(waited));
  return {
    ...success,
    api_version,
    status: 'delivered',
    attempts: 1,
    waits: 0,
    created_at: timestamp(createdAt),
    last_attempt_at: started_at,
    next_attempt_at: null,
    last_status: status,
    last_error: null,
    waiting_for: null,
    log: [
      {
        number: 1,
        started_at,
        duration_ms: Number(took),
        timings: { dns_ms, connect_ms, tls_ms, first_byte_ms },
        status,
        error: null,
        response,
      },
    ],
  };
};

/** Returns the short form of the attempt; undefined unless the delivery consists of exactly one successful attempt. */
export const successOf = ({ id, status, attempts, api_version, created_at, body_hash, log }: Delivery) => {
  const [attempt] = log;
  if (status !== 'delivered' || attempts !== 1 || attempt === undefined || api_version === undefined) return undefined;
  const createdAt = timeOfId(id);
  if (timestamp(createdAt) !== created_at || !/^[0-9a-f]{64}$/.test(body_hash)) return undefined;
  const { dns_ms, connect_ms, tls_ms, first_byte_ms } = attempt.timings;
  const phases = `${dns_ms ?? '-'} ${connect_ms ?? '-'} ${tls_ms ?? '-'} ${first_byte_ms ?? '-'}`;
  const waited = Date.parse(attempt.started_at) - createdAt;
  return {
    delivered: `${api_version} ${attempt.status} ${waited} ${attempt.duration_ms} ${phases}`,
    response: attempt.response,
  };
};

/** Returns a delivery's item. `due` (epoch ms) is when the sweep checks it; without it, an earlier time is removed. */
export const itemOf = (delivery: Delivery, due?: number): Item => {
  const key = deliveryKey(delivery.webhook_id, delivery.id);
  const indexKeys = indexKeysOf(delivery);
  if (due !== undefined) return { ...delivery, ...indexKeys, ...key, ...dueAt(key, due) };
  return {
    ...(shortOf(delivery) ?? { ...delivery, due: undefined, due_at: undefined }),
    ...indexKeys,
    ...key,
  };
};

const shortOf = (delivery: Delivery): Short | undefined => {
  const success = successOf(delivery);
  if (success === undefined) return undefined;
  const { delivered, response } = success;
  const { event, event_id, body_hash, trigger, replayed_by, expires_at } = delivery;
  return {
    event,
    event_id,
    body: Buffer.from(body_hash, 'hex'),
    delivered,
    ...(response !== null && { response }),
    ...(trigger !== 'event' && { trigger }),
    ...(replayed_by !== null && { replayed_by }),
    expires_at,
  };
};
