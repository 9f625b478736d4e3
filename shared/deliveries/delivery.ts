/** A delivery, one event for one webhook: its record, its id, and its message in a queue. */
import { day, second } from '../foundation/clock.ts';
import { longestDeliveryDays } from '../foundation/delivery-times.ts';
import { sha256 } from '../foundation/hash.ts';
import { type DeliveryId, type IntegrationId, idTime, type WebhookId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Throttle } from '../webhooks/options-resource.ts';
import type { DeliveryWithLogResource } from './logged.ts';
import type { Trigger } from './triggers.ts';

/** The record of a delivery. A successful delivery is written once, after its first attempt. */
export interface Delivery extends Omit<DeliveryWithLogResource, 'request' | 'superseded_by'> {
  /** The API version of the body that the last attempt sent; missing before the first. */
  readonly api_version?: string;
  readonly body_hash: string;
  /** The integration of its webhook. Only deliveries that were not delivered at once need it (`records/row.ts`). */
  readonly integration_id?: IntegrationId | undefined;
  /** ISO time until which the last answer's `Retry-After` asks us to wait. Its schedule may be later. */
  readonly asked_until?: string | undefined;
  /** The trace that its event belongs to; the log names it. */
  readonly trace_id?: string | undefined;
  /** How often it was made to wait, or released, since its last attempt. */
  readonly waits: number;
  /** How many of its attempts a release made early. They use none of its schedule; missing for none. */
  readonly early?: number | undefined;
  /** The row in which it waits for its turn, or waited last. */
  readonly row?: RowName | undefined;
  readonly superseded_by?: DeliveryId;
  /** The sort key of the window in which that happened (`records/windows.ts`). */
  readonly window?: string;
  /** ISO time at which the sweep sends its message. Missing if the queue has it. */
  readonly due_at?: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

/** A row for a place in which requests wait: that of the webhook's host, or that of its throttle. */
export type RowName = 'host' | `${number} a ${Throttle['per']}`;

/** Returns the row of a throttle, which is another one once the throttle changes. */
export const rowOfThrottle = ({ requests, per }: Throttle): RowName => `${requests} a ${per}`;

/** Returns under which name the row of a throttle is stored (`limits/store.ts`). */
export const throttleRow = (webhook: WebhookId, row: RowName): string => `throttle ${webhook} ${row}`;

/** Returns whether an attempt may still follow. */
export const isUnfinished = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'pending' || status === 'retrying';

type Step = Pick<Delivery, 'attempts' | 'waits'>;

/** Returns whether a delivery is behind a step. An attempt goes further than any number of waits for it. */
export const isBehind = (delivery: Step, { attempts, waits }: Step): boolean =>
  delivery.attempts < attempts || (delivery.attempts === attempts && delivery.waits < waits);

/** One attempt to make. It refers to the event by id, so that the body is stored once and not once per subscriber. */
export interface DeliveryMessage {
  readonly delivery_id: DeliveryId;
  readonly webhook_id: WebhookId;
  readonly body_hash: string;
  readonly event: string;
  readonly event_id: string;
  /** ISO time at which the event was accepted, or the redelivery, replay or ping was requested. */
  readonly created_at: string;
  readonly attempt: number;
  /** How often it was made to wait for this attempt; with `attempt`, the step that the message is for. */
  readonly waits: number;
  readonly trigger: Trigger;
  readonly early?: number | undefined;
  /** ISO time of an attempt that had to wait. Of two messages for one step, the one that the record names is valid. */
  readonly next_attempt_at?: string | undefined;
}

export type OfEvent = Pick<DeliveryMessage, 'body_hash' | 'event' | 'event_id' | 'created_at'>;

/** Returns the message for the first attempt of an event's delivery to a webhook. */
export const firstMessage = (of: OfEvent, webhook_id: WebhookId): DeliveryMessage => ({
  delivery_id: deliveryId(Date.parse(of.created_at), of.body_hash, webhook_id),
  webhook_id,
  attempt: 1,
  waits: 0,
  trigger: 'event',
  body_hash: of.body_hash,
  event: of.event,
  event_id: of.event_id,
  created_at: of.created_at,
});

type Kept = Pick<Settings['deliveries'], 'keepDays'>;

/**
 * Returns when a delivery may be deleted, in epoch seconds: after any message that can cause an attempt
 * (`endOfAttempts`), or a dead letter that is put back would repeat a recorded success.
 */
export const expiresAt = (stepMs: number, { keepDays }: Kept): number =>
  Math.floor((stepMs + Math.max(keepDays, longestDeliveryDays + 1) * day) / second);

/** Returns the delivery of a message that has no record yet. `now` in epoch ms. */
export const newDelivery = (message: DeliveryMessage, kept: Kept, now: number): Delivery => ({
  id: message.delivery_id,
  webhook_id: message.webhook_id,
  event: message.event,
  event_id: message.event_id,
  body_hash: message.body_hash,
  status: message.attempt === 1 ? 'pending' : 'retrying',
  trigger: message.trigger,
  attempts: message.attempt - 1,
  waits: message.waits,
  created_at: message.created_at,
  last_attempt_at: null,
  next_attempt_at: message.next_attempt_at ?? null,
  early: message.early,
  last_status: null,
  last_error: null,
  waiting_for: null,
  replayed_by: null,
  log: [],
  expires_at: expiresAt(now, kept),
});

/** Returns a delivery as its message finds it. A message is sent before its wait is recorded, so it may be ahead. */
export const asFound = (known: Delivery | undefined, message: DeliveryMessage, kept: Kept, now: number): Delivery => {
  if (known === undefined) return newDelivery(message, kept, now);
  const { status, attempts, waits, next_attempt_at, early } = newDelivery(message, kept, now);
  if (!isUnfinished(known) || !isBehind(known, { attempts, waits })) return known;
  return { ...known, status, attempts, waits, next_attempt_at, early };
};

/** Returns the message for a delivery's next step. */
export const messageOf = (delivery: Delivery): DeliveryMessage => ({
  delivery_id: delivery.id,
  webhook_id: delivery.webhook_id,
  body_hash: delivery.body_hash,
  event: delivery.event,
  event_id: delivery.event_id,
  created_at: delivery.created_at,
  attempt: delivery.attempts + 1,
  waits: delivery.waits,
  trigger: delivery.trigger,
  ...(delivery.next_attempt_at !== null && { next_attempt_at: delivery.next_attempt_at }),
  ...(delivery.early !== undefined && { early: delivery.early }),
});

/** Returns the id for an event, webhook and `request` (of a redelivery, replay or ping). `acceptedAt` in epoch ms. */
export const deliveryId = (acceptedAt: number, hash: string, webhook: WebhookId, request = ''): DeliveryId =>
  (idTime(acceptedAt) + sha256(`${hash}:${webhook}:${request}`).slice(0, 12)) as DeliveryId;
