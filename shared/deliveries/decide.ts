/** Decides what is to be done with a message of the delivery queues, as far as what was read for it shows. */

import { second } from '../foundation/clock.ts';
import { readinessOf } from '../webhooks/health.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { Batch, Recipient } from './batch.ts';
import { type Delivery, type DeliveryMessage, isUnfinished } from './delivery.ts';
import type { Lane } from './lanes.ts';
import type { LoadedEvent } from './load.ts';
import type { WaitingFor } from './resource.ts';

/** What a post needs. */
export interface Subject {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly event: LoadedEvent;
  readonly recipient: Recipient;
}

export type Decision =
  /** It is done already, is not due, or stands for an attempt that the table does not know of. */
  | { readonly kind: 'skip' }
  /** The delivery ends here, without an attempt. */
  | { readonly kind: 'end'; readonly status: 'cancelled' | 'failed' | 'held'; readonly error: string | null }
  /** Its webhook takes the slow lane since it was sent here, and would keep others waiting. */
  | { readonly kind: 'hand over'; readonly recipient: Recipient; readonly slowSince: number }
  /** Its webhook gets nothing until then, in epoch ms. */
  | ({ readonly kind: 'wait'; readonly reason: WaitingFor['reason']; readonly until: number } & Subject)
  /** The circuit breaker has been open for long enough: one delivery may find out whether the webhook works again. */
  | ({ readonly kind: 'probe' } & Subject)
  /** Its webhook is slow: its deliveries take turns. */
  | ({ readonly kind: 'take a turn' } & Subject)
  | ({ readonly kind: 'post' } & Subject);

/** Clocks of two environments differ a little; an attempt so much too early is not too early. */
export const earlyMs = second;

/** Error of a delivery whose event is no longer kept. */
const expired = 'expired';

const skip: Decision = { kind: 'skip' };

/** Decides about a message; `delivery` is what the table knows of it, or what the message says where it is the first. `now` in epoch ms. */
export const decide = (
  batch: Pick<Batch, 'events' | 'recipients'>,
  message: DeliveryMessage,
  delivery: Delivery,
  lane: Lane,
  now: number,
): Decision => {
  if (!isUnfinished(delivery) || !isNext(delivery, message, now)) return skip;
  const recipient = batch.recipients.get(message.webhook_id);
  const webhook = recipient?.findings.webhook;
  if (webhook === undefined || recipient === undefined || !isMeantFor(webhook, message))
    return { kind: 'end', status: 'cancelled', error: delivery.last_error };
  const event = batch.events.get(message.body_hash);
  if (event === undefined)
    return { kind: 'end', status: delivery.attempts === 0 ? 'cancelled' : 'failed', error: expired };
  const isTriggeredByEvent = message.trigger === 'event';
  if (webhook.status === 'disabled' && isTriggeredByEvent)
    return { kind: 'end', status: 'held', error: delivery.last_error };
  const { health } = webhook;
  const isSlow = health?.lane === 'slow';
  if (isSlow && lane === 'normal') return { kind: 'hand over', recipient, slowSince: health.slow_since ?? now };
  const subject: Subject = { delivery, webhook, event, recipient };
  // A ping asks whether the webhook works again, so it waits for nothing.
  if (message.trigger === 'ping') return { kind: 'post', ...subject };
  const readiness = readinessOf(health, now);
  if (readiness.kind === 'wait') return { ...readiness, ...subject };
  if (readiness.kind === 'probe') return { kind: 'probe', ...subject };
  return { kind: isSlow ? 'take a turn' : 'post', ...subject };
};

/** The message is for the attempt that the table says is next, and its time has come. */
const isNext = (delivery: Delivery, message: DeliveryMessage, now: number): boolean =>
  delivery.attempts + 1 === message.attempt &&
  (delivery.next_attempt_at === null || Date.parse(delivery.next_attempt_at) <= now + earlyMs);

/** The webhook still subscribes to the event; pings go to any. */
const isMeantFor = (webhook: Webhook, { event }: DeliveryMessage): boolean =>
  webhook.event === event || event === 'webhook.ping';
