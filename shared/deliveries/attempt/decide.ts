/** Decides what to do with a message of the delivery queues, from the data that was read for it. */

import { passesFilter } from '../../formats/match.ts';
import { isStaffEvent } from '../../foundation/event-names.ts';
import { covers } from '../../foundation/event-selection.ts';
import { isSlow, readinessOf } from '../../webhooks/health.ts';
import type { Debounce, Options } from '../../webhooks/options-resource.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import { type Delivery, type DeliveryMessage, isUnfinished } from '../delivery.ts';
import type { Lane } from '../lanes.ts';
import type { WaitingFor } from '../resource.ts';
import { endOfAttempts } from '../schedule.ts';
import type { Batch, WebhookState } from './batch.ts';
import type { LoadedEvent } from './load.ts';

export interface Subject {
  readonly delivery: Delivery;
  readonly webhook: Webhook;
  readonly event: LoadedEvent;
  readonly state: WebhookState;
}

export type Decision =
  /** There is nothing to do: the delivery has ended, or the message is not for its next step. */
  | { readonly kind: 'skip' }
  | { readonly kind: 'leave out' }
  | ({ readonly kind: 'debounce'; readonly rule: Debounce } & Subject)
  /** The delivery ends here, without an attempt. */
  | { readonly kind: 'end'; readonly status: 'cancelled' | 'failed' | 'held'; readonly error: string | null }
  /** Its webhook would delay others in this lane. */
  | { readonly kind: 'move to slow lane' }
  /** Its webhook receives nothing until this time, in epoch ms, or until a probe succeeds. */
  | ({ readonly kind: 'wait'; readonly reason: WaitingFor['reason']; readonly until: number | null } & Subject)
  /** The circuit breaker has been open long enough: one delivery may probe whether the webhook works again. */
  | ({ readonly kind: 'probe' } & Subject)
  | ({ readonly kind: 'post' } & Subject);

/** The error of a delivery whose event is no longer stored, or that expired before its first attempt. */
const expired = 'expired';

const skip: Decision = { kind: 'skip' };

/** Decides about a message. `delivery` is what `asFound` returns for it. */
export const decide = (
  batch: Pick<Batch, 'events' | 'webhooks'>,
  message: DeliveryMessage,
  delivery: Delivery,
  lane: Lane,
  now: number,
): Decision => {
  if (!isUnfinished(delivery) || !isNext(delivery, message)) return skip;
  const state = batch.webhooks.get(message.webhook_id);
  const webhook = state?.findings.webhook;
  const isBarred = state?.isBarred === true && isStaffEvent(message.event);
  if (webhook === undefined || state === undefined || isBarred || !isMeantFor(webhook, message))
    return { kind: 'end', status: 'cancelled', error: delivery.last_error };
  const event = batch.events.get(message.body_hash);
  if (event === undefined)
    return { kind: 'end', status: delivery.attempts === 0 ? 'cancelled' : 'failed', error: expired };
  const isTriggeredByEvent = message.trigger === 'event';
  if (isTriggeredByEvent && message.attempt === 1 && !passes(state.options, webhook, message.event, event))
    return { kind: 'leave out' };
  const rule = state.options?.debounce;
  // First, so that only one delivery of a burst is held or waits at a disabled or failing webhook.
  if (isTriggeredByEvent && rule != null && message.attempt === 1 && message.waits === 0)
    return { kind: 'debounce', rule, delivery, webhook, event, state };
  if (webhook.status === 'disabled' && (isTriggeredByEvent || isDeclinedSince(webhook, message)))
    return { kind: 'end', status: 'held', error: delivery.last_error };
  // Its message was late, for example behind a backlog. A replay can send it.
  if (now > endOfAttempts(delivery)) return { kind: 'end', status: 'failed', error: delivery.last_error ?? expired };
  const { health } = webhook;
  if (lane === 'normal' && (isSlow(health, now) || state.isSuspect === true)) return { kind: 'move to slow lane' };
  // A ping checks whether the webhook works again, so it never waits.
  if (message.trigger === 'ping') return { kind: 'post', delivery, webhook, event, state };
  const readiness = readinessOf(health, now);
  if (readiness.kind === 'wait') return { ...readiness, delivery, webhook, event, state };
  const kind = readiness.kind === 'probe' ? 'probe' : 'post';
  return { kind, delivery, webhook, event, state };
};

/** Returns whether an event passes the filter of a webhook, applied to the body that the webhook would get. */
export const passes = (
  options: Options | undefined,
  { api_version }: Pick<Webhook, 'api_version'>,
  name: string,
  event: LoadedEvent,
): boolean => options?.filter == null || passesFilter(options.filter, name, event.build(api_version).parsed());

/** Returns whether the receiver has asked for no more after a replay or a redelivery was requested. */
const isDeclinedSince = ({ declined_at = '' }: Webhook, { trigger, created_at }: DeliveryMessage): boolean =>
  trigger !== 'ping' && created_at < declined_at;

/** Returns whether the message is for the delivery's next step, and no other message has replaced it. */
const isNext = (delivery: Delivery, { attempt, waits, next_attempt_at }: DeliveryMessage): boolean =>
  delivery.attempts + 1 === attempt &&
  delivery.waits === waits &&
  delivery.next_attempt_at === (next_attempt_at ?? null);

/** Returns whether the webhook still subscribes to the event; pings go to any webhook. */
const isMeantFor = (webhook: Webhook, { event, trigger }: DeliveryMessage): boolean =>
  covers(webhook.event, event) || event === 'webhook.ping' || trigger === 'ping';
