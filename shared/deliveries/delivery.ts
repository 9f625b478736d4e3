/** A delivery, one event for one webhook: its record, its id, and its message in a queue. */

import * as v from 'valibot';
import { day, second } from '../foundation/clock.ts';
import { sha256 } from '../foundation/hash.ts';
import { type CohortId, type DeliveryId, idTime, type WebhookId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import { type DeliveryWithLogResource, type Trigger, triggers } from './resource.ts';
import { scheduleMs } from './schedule.ts';

/** The record of a delivery. A successful one is written once, after its first attempt. */
export interface Delivery extends Omit<DeliveryWithLogResource, 'request'> {
  /** The API version of the body that the last attempt sent; missing before the first. */
  readonly api_version?: string;
  /** The hash of the event's body. */
  readonly body_hash: string;
  /** ISO time from which its schedule counts: the first attempt or deferral, moved by the time that `Retry-After` added. */
  readonly schedule_from?: string;
  /** The cohort of its webhook when the event was fanned out (`cohort.ts`); missing for one that was requested, or without a cohort. */
  readonly cohort?: CohortId | undefined;
  /** Set while it has no item of its own, but a cohort. Not stored. */
  readonly unrecorded?: true | undefined;
  /** Names the write of the latest step, so that its writer recognises it if the answer was lost. */
  readonly step?: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
}

/** Returns whether an attempt may still follow. */
export const isUnfinished = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status === 'pending' || status === 'retrying';

/** The message of the two delivery queues: ids, so that a body is stored once and not once per subscriber. */
export interface DeliveryMessage {
  readonly delivery_id: DeliveryId;
  readonly webhook_id: WebhookId;
  /** The webhook's cohort, in the message of an event. */
  readonly cohort?: CohortId | undefined;
  readonly body_hash: string;
  readonly event: string;
  readonly event_id: string;
  /** ISO time at which the event was accepted, or the redelivery, replay or ping was requested. */
  readonly created_at: string;
  /** The number of the message's attempt. */
  readonly attempt: number;
  readonly trigger: Trigger;
  /** Epoch ms of its turn in the slow lane, if it had to wait for one. */
  readonly turn?: number;
  /** The event's payload as JSON: sent to few subscribers, so that the event need not be read for their first attempts. */
  readonly payload?: string | undefined;
  /** Marks the first delivery of an event, with which the event is counted as accepted: so that needs no write of its own. */
  readonly first?: true;
}

/** The message of the first attempts of an event's deliveries to some webhooks of a cohort. */
export interface CohortMessage
  extends Pick<DeliveryMessage, 'body_hash' | 'event' | 'event_id' | 'created_at' | 'payload' | 'first'> {
  readonly cohort: CohortId;
  readonly webhook_ids: readonly WebhookId[];
}

type OfEvent = Pick<DeliveryMessage, 'cohort' | 'body_hash' | 'event' | 'event_id' | 'created_at' | 'payload'>;

/** Returns the message of the first attempt of an event's delivery to a webhook. `acceptedAt` is `created_at` in epoch ms. */
export const firstMessage = (
  { cohort, body_hash, event, event_id, created_at, payload }: OfEvent,
  webhook_id: WebhookId,
  acceptedAt: number,
): DeliveryMessage => ({
  delivery_id: deliveryId(acceptedAt, body_hash, webhook_id),
  webhook_id,
  cohort,
  body_hash,
  event,
  event_id,
  created_at,
  attempt: 1,
  trigger: 'event',
  payload,
});

/** Returns the messages of single deliveries for which a message stands. */
export const deliveriesOf = (message: DeliveryMessage | CohortMessage): readonly DeliveryMessage[] => {
  if (!('webhook_ids' in message)) return [message];
  const acceptedAt = Date.parse(message.created_at);
  const messages = message.webhook_ids.map((webhook_id) => firstMessage(message, webhook_id, acceptedAt));
  if (message.first === true && messages[0] !== undefined) messages[0] = { ...messages[0], first: true };
  return messages;
};

/** Returns a message as it is sent again: with ids only, without its turn, and counted already. */
export const sentAgain = ({
  turn: _turn,
  first: _first,
  payload: _payload,
  ...message
}: DeliveryMessage): DeliveryMessage => message;

const sharedTexts = ['body_hash', 'event', 'event_id', 'created_at'] as const;
const ownTexts = ['delivery_id', 'webhook_id'] as const;

/** Checked as a whole, because a check field by field took a tenth of a delivery's CPU time. */
export const deliveryMessage = v.custom<DeliveryMessage | CohortMessage>((input) => {
  if (typeof input !== 'object' || input === null) return false;
  const message: Partial<Record<keyof DeliveryMessage | keyof CohortMessage, unknown>> = input;
  for (const text of sharedTexts) if (typeof message[text] !== 'string') return false;
  if (message.payload !== undefined && typeof message.payload !== 'string') return false;
  if (Array.isArray(message.webhook_ids))
    return typeof message.cohort === 'string' && message.webhook_ids.every((id) => typeof id === 'string');
  for (const text of ownTexts) if (typeof message[text] !== 'string') return false;
  const { attempt, trigger, turn, cohort } = message;
  if (cohort !== undefined && typeof cohort !== 'string') return false;
  const isTurn = turn === undefined || typeof turn === 'number';
  return isTurn && Number.isInteger(attempt) && Number(attempt) >= 1 && triggers.some((known) => known === trigger);
}, 'A delivery message has ids, an event and a time, and if it is of one delivery the number of an attempt and a trigger');

type Kept = Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>;

/** Returns when a delivery may be deleted, in epoch seconds: counted from its latest step, and never before its next attempt. */
export const expiresAt = (stepMs: number, { keepDays, retryAfterSeconds }: Kept): number =>
  Math.floor((stepMs + Math.max(keepDays * day, scheduleMs(retryAfterSeconds) + day)) / second);

/** Makes a delivery before its first attempt, as its message describes it. `now` in epoch ms. */
export const newDelivery = (message: DeliveryMessage, kept: Kept, now: number): Delivery => ({
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
  waiting_for: null,
  log: [],
  expires_at: expiresAt(now, kept),
  cohort: message.cohort,
  unrecorded: message.cohort === undefined ? undefined : true,
});

/** Returns the message for a delivery's next attempt. */
export const messageOf = (delivery: Delivery): DeliveryMessage => ({
  delivery_id: delivery.id,
  webhook_id: delivery.webhook_id,
  ...(delivery.cohort !== undefined && { cohort: delivery.cohort }),
  body_hash: delivery.body_hash,
  event: delivery.event,
  event_id: delivery.event_id,
  created_at: delivery.created_at,
  attempt: delivery.attempts + 1,
  trigger: delivery.trigger,
});

/**
 * Returns the id of a delivery: always the same for the same event and webhook. A redelivery, replay or
 * ping hashes its `request` too, and starts with the time of the request; `acceptedAt` in epoch ms.
 */
export const deliveryId = (acceptedAt: number, hash: string, webhook: WebhookId, request = ''): DeliveryId =>
  (idTime(acceptedAt) + sha256(`${hash}:${webhook}:${request}`).slice(0, 12)) as DeliveryId;
