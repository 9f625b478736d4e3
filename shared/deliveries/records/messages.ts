/** The delivery queues' messages: up to ten first attempts, as SQS and Lambda charge per message, or one delivery. */
import * as v from 'valibot';
import { isId, type WebhookId } from '../../foundation/ids.ts';
import { idSchema } from '../../foundation/resource.ts';
import { type DeliveryMessage, firstMessage, type OfEvent } from '../delivery.ts';
import { triggers } from '../triggers.ts';

const ofEvent = {
  body_hash: v.string(),
  event: v.string(),
  event_id: v.string(),
  created_at: v.string(),
};

export const queueMessage = v.union([
  v.object({ ...ofEvent, webhook_ids: v.array(v.pipe(v.string(), v.guard(isId<WebhookId>))) }),
  v.object({
    ...ofEvent,
    delivery_id: idSchema<DeliveryMessage['delivery_id']>(),
    webhook_id: idSchema<WebhookId>(),
    attempt: v.pipe(v.number(), v.integer(), v.minValue(1)),
    waits: v.pipe(v.number(), v.integer(), v.minValue(0)),
    trigger: v.picklist(triggers),
    next_attempt_at: v.optional(v.string()),
    early: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  }),
]);

export type QueueMessage = v.InferOutput<typeof queueMessage>;

/** The maximum deliveries in a message: an invocation posts all of them at the same time. */
const maxDeliveries = 10;

/** Returns the messages of the first attempts of an event's deliveries to these webhooks. */
export const pack = (event: OfEvent, webhooks: readonly WebhookId[]): QueueMessage[] =>
  Array.from({ length: Math.ceil(webhooks.length / maxDeliveries) }, (_, chunk) => ({
    ...event,
    webhook_ids: webhooks.slice(chunk * maxDeliveries, (chunk + 1) * maxDeliveries),
  }));

/** Splits a message into the messages of its single deliveries. */
export const unpack = (message: QueueMessage): readonly DeliveryMessage[] => {
  if (!('webhook_ids' in message)) return [message];
  return message.webhook_ids.map((webhook_id) => firstMessage(message, webhook_id));
};

/** Returns how many deliveries a message stands for. */
export const deliveriesIn = (message: QueueMessage): number =>
  'webhook_ids' in message ? message.webhook_ids.length : 1;

/** Returns the group whose turn a message takes in a fair queue, unless its sender names another: its first webhook. */
export const fairnessGroupOf = (message: QueueMessage): string =>
  'webhook_ids' in message ? (message.webhook_ids[0] ?? '') : message.webhook_id;
