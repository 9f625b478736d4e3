/** What is to be done with a message of the delivery queues, as far as what was read for it tells. */

import { second } from '../foundation/clock.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Batch, Destination, LoadedEvent } from './batch.ts';
import { type Delivery, type DeliveryMessage, isUnfinished } from './delivery.ts';
import { isFast, needsProbe, waitUntil } from './receivers/receiver.ts';

export type Lane = 'fast' | 'slow';

/** What a post needs. */
export interface Subject {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly event: LoadedEvent;
  readonly destination: Destination;
}

export type Decision =
  /** It is done already, is not due, or stands for an attempt that the table knows nothing of. */
  | { readonly kind: 'skip' }
  /** The delivery ends here, without an attempt. */
  | { readonly kind: 'end'; readonly status: 'cancelled' | 'failed' | 'held'; readonly error: string | null }
  /** Its receiver has lost the fast lane since it was sent here, and would keep others waiting. */
  | { readonly kind: 'give over'; readonly destination: Destination }
  /** Its receiver gets nothing until then, in epoch ms. */
  | ({ readonly kind: 'wait'; readonly until: number } & Subject)
  /** The breaker's time is over: only one may find out whether the receiver is back. */
  | ({ readonly kind: 'probe' } & Subject)
  | ({ readonly kind: 'post' } & Subject);

/** Clocks of two environments differ a little; an attempt so much too early is not too early. */
const earlyMs = second;

/** Error of a delivery whose event is not kept any more. */
const expired = 'expired';

const skip: Decision = { kind: 'skip' };

/** Decides about a message; `delivery` is what the table knows of it, or what the message says where it is the first. `now` in epoch ms. */
export const decide = (
  batch: Pick<Batch, 'webhooks' | 'events' | 'destinations'>,
  message: DeliveryMessage,
  delivery: Delivery,
  lane: Lane,
  now: number,
): Decision => {
  if (!isUnfinished(delivery) || !isNext(delivery, message, now)) return skip;
  const webhook = batch.webhooks.get(message.webhook_id);
  const destination = batch.destinations.get(message.webhook_id);
  if (webhook === undefined || destination === undefined || !isMeantFor(webhook, message))
    return { kind: 'end', status: 'cancelled', error: delivery.last_error };
  const event = batch.events.get(message.body_hash);
  if (event === undefined) return { kind: 'end', status: 'failed', error: expired };
  if (webhook.status === 'disabled' && message.trigger === 'event')
    return { kind: 'end', status: 'held', error: delivery.last_error };
  const { receiver } = destination;
  const until = waitUntil(receiver, now);
  if (until > 0) return { kind: 'wait', until, delivery, webhook, event, destination };
  if (lane === 'fast' && !isFast(receiver, now)) return { kind: 'give over', destination };
  const kind = needsProbe(receiver, now) ? 'probe' : 'post';
  return { kind, delivery, webhook, event, destination };
};

/** The message is for the attempt that the table says is next, and its time has come. */
const isNext = (delivery: Delivery, message: DeliveryMessage, now: number): boolean =>
  delivery.attempts + 1 === message.attempt &&
  (delivery.next_attempt_at === null || Date.parse(delivery.next_attempt_at) <= now + earlyMs);

/** The webhook still subscribes to the event; pings go to any. */
const isMeantFor = (webhook: Webhook, { event }: DeliveryMessage): boolean =>
  webhook.event === event || event === 'webhook.ping';
