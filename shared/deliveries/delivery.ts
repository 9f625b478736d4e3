/** A delivery: one event on its way to one webhook; its states, its id, and the message that stands for it in a queue. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { day } from '../foundation/clock.ts';
import { type DeliveryId, idTime, type WebhookId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { DeliveryResponse, DeliveryWithLogResponse } from './response.ts';
import { scheduleMs } from './schedule.ts';

/** What began a delivery: the event itself, or somebody's hand. */
export const triggers = ['event', 'redelivery', 'replay', 'ping'] as const;
export type Trigger = (typeof triggers)[number];

/**
 * `pending` waits for its first attempt, `retrying` for the next; `delivered`, `failed` (no attempt left), `cancelled`
 * (webhook deleted or changed away) and `blocked` (address refused) are ends; `held` was kept back from a disabled webhook.
 */
export const deliveryStates = ['pending', 'retrying', 'delivered', 'failed', 'cancelled', 'blocked', 'held'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Whether a delivery still has an attempt before it. */
export const isUnfinished = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'pending' || status === 'retrying';

/** One attempt, as the log shows it. */
export interface Attempt {
  readonly number: number;
  /** ISO. */
  readonly started_at: string;
  readonly duration_ms: number;
  readonly timings: {
    readonly dns_ms: number | null;
    readonly connect_ms: number | null;
    readonly tls_ms: number | null;
    readonly first_byte_ms: number | null;
  };
  /** HTTP status as text; null where there was no answer. */
  readonly status: string | null;
  /** Class of the error (`dns`, `connect`, `timeout`, `status`, …); null where there was none. */
  readonly error: string | null;
  /** The first KiB of the answer. */
  readonly response: string | null;
}

/** What is kept of a delivery. A healthy one is written once, after its first attempt. */
export interface Delivery {
  readonly id: DeliveryId;
  readonly webhook_id: WebhookId;
  readonly event: string;
  readonly event_id: string;
  /** Names the event's body. */
  readonly body_hash: string;
  readonly status: DeliveryState;
  readonly trigger: Trigger;
  readonly attempts: number;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly last_status: string | null;
  readonly last_error: string | null;
  readonly log: readonly Attempt[];
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

/** What the two delivery queues carry: ids, so that a body is stored once and not once a subscriber. */
export interface DeliveryMessage {
  readonly delivery_id: DeliveryId;
  readonly webhook_id: WebhookId;
  readonly body_hash: string;
  readonly event: string;
  readonly event_id: string;
  /** ISO time at which the event was accepted, or the delivery by hand was asked for. */
  readonly created_at: string;
  /** Number of the attempt that this message stands for. */
  readonly attempt: number;
  readonly trigger: Trigger;
}

const texts = ['delivery_id', 'webhook_id', 'body_hash', 'event', 'event_id', 'created_at'] as const;

/** Checked in one go and not field by field, which took a tenth of what a delivery takes in all. */
export const deliveryMessage = v.custom<DeliveryMessage>((input) => {
  if (typeof input !== 'object' || input === null) return false;
  const message: Partial<Record<keyof DeliveryMessage, unknown>> = input;
  for (const text of texts) if (typeof message[text] !== 'string') return false;
  const { attempt, trigger } = message;
  return Number.isInteger(attempt) && Number(attempt) >= 1 && triggers.some((known) => known === trigger);
}, 'A delivery message has ids, an event, a time, the number of an attempt and a trigger');

/** A delivery before its first attempt, as its message describes it. Kept for the stage's days, and never less than its schedule lasts. */
export const newDelivery = (
  message: DeliveryMessage,
  { keepDays, retryAfterSeconds }: Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>,
): Delivery => ({
  id: message.delivery_id,
  webhook_id: message.webhook_id,
  event: message.event,
  event_id: message.event_id,
  body_hash: message.body_hash,
  status: 'pending',
  trigger: message.trigger,
  attempts: 0,
  created_at: message.created_at,
  last_attempt_at: null,
  next_attempt_at: null,
  last_status: null,
  last_error: null,
  log: [],
  expires_at: Math.floor(
    (Date.parse(message.created_at) + Math.max(keepDays * day, scheduleMs(retryAfterSeconds) + day)) / 1000,
  ),
});

/** The message for a delivery's next attempt. */
export const messageOf = (delivery: Delivery): DeliveryMessage => ({
  delivery_id: delivery.id,
  webhook_id: delivery.webhook_id,
  body_hash: delivery.body_hash,
  event: delivery.event,
  event_id: delivery.event_id,
  created_at: delivery.created_at,
  attempt: delivery.attempts + 1,
  trigger: delivery.trigger,
});

/**
 * The same event to the same webhook is the same delivery, however often the work is done. A delivery by hand hashes its
 * `job` too, and begins with the time at which that was asked for; `acceptedAt` in epoch ms.
 */
export const deliveryId = (acceptedAt: number, hash: string, webhook: WebhookId, job = ''): DeliveryId =>
  (idTime(acceptedAt) +
    createHash('sha256').update(`${hash}:${webhook}:${job}`).digest('hex').slice(0, 12)) as DeliveryId;

/** The 12 fields of the contract. */
export const presentDelivery = (delivery: Delivery): DeliveryResponse => ({
  id: delivery.id,
  webhook_id: delivery.webhook_id,
  event: delivery.event,
  event_id: delivery.event_id,
  status: delivery.status,
  trigger: delivery.trigger,
  attempts: delivery.attempts,
  created_at: delivery.created_at,
  last_attempt_at: delivery.last_attempt_at,
  next_attempt_at: delivery.next_attempt_at,
  last_status: delivery.last_status,
  last_error: delivery.last_error,
});

/** The same with its attempts. */
export const presentDeliveryWithLog = (delivery: Delivery): DeliveryWithLogResponse => ({
  ...presentDelivery(delivery),
  log: delivery.log.map(({ number, started_at, duration_ms, timings, status, error, response }) => ({
    number,
    started_at,
    duration_ms,
    timings: {
      dns_ms: timings.dns_ms,
      connect_ms: timings.connect_ms,
      tls_ms: timings.tls_ms,
      first_byte_ms: timings.first_byte_ms,
    },
    status,
    error,
    response,
  })),
});
