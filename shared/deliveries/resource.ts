/** The resource of a delivery: its fields, order and documentation. */
import * as v from 'valibot';
import type { DeliveryId, WebhookId } from '../foundation/ids.ts';
import { field, idSchema, present, type Resource, resource, timeSchema } from '../foundation/resource.ts';
import { triggers } from './triggers.ts';

export const deliveryStates = [
  'pending',
  'retrying',
  'delivered',
  'failed',
  'cancelled',
  'blocked',
  'held',
  'superseded',
] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const waitReasons = {
  schedule: 'the retry schedule',
  retry_after: 'the time that the receiver requested',
  circuit_breaker: 'the next probe of a webhook that keeps failing, or an answer that is late',
  disabled: 'the webhook is disabled',
  debounce: 'the end of its burst of events',
  throttle: 'its turn: its webhook has a throttle, or its host does not answer with success',
} as const;

const waitingFor = v.strictObject({
  reason: field(
    v.picklist(Object.keys(waitReasons) as (keyof typeof waitReasons)[]),
    `${Object.entries(waitReasons)
      .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
      .join('; ')}.`,
  ),
  until: field(v.nullable(timeSchema), 'Until when; null if no time is set.'),
});

/** All 15 fields are in every response with a delivery. */
export const deliveryResource = resource('Delivery', {
  id: field(
    idSchema<DeliveryId>(),
    'The id of the delivery. The receiver gets it as `webhook-id`, the same with every attempt.',
  ),
  webhook_id: field(idSchema<WebhookId>(), 'The id of the webhook.'),
  event: field(v.string(), 'The name of the event.'),
  event_id: field(v.string(), 'The id of the event.'),
  status: field(
    v.picklist(deliveryStates),
    '`pending`: before its first attempt; `retrying`: a further attempt follows; `delivered`; ' +
      '`failed`: no attempt is left; `cancelled`: the webhook was deleted, subscribes to another event, or may no ' +
      'longer receive this one, or the event expired before the first attempt; ' +
      '`blocked`: the target is not allowed; `held`: the webhook is disabled, a replay sends it and sets ' +
      '`replayed_by`; `superseded`: by `debounce`, a later event of its burst is sent instead.',
  ),
  trigger: field(v.picklist(triggers), 'What triggered it: an event, or a request to redeliver, replay or ping.'),
  attempts: field(v.pipe(v.number(), v.integer()), 'The number of attempts made.'),
  created_at: field(timeSchema, 'When the event was accepted, or the redelivery, replay or ping was requested.'),
  last_attempt_at: field(v.nullable(timeSchema), 'When the last attempt started.'),
  next_attempt_at: field(v.nullable(timeSchema), 'When the next attempt is due; null if none follows.'),
  last_status: field(
    v.nullable(v.string()),
    'The HTTP status of the last response, as a string; null without a response.',
  ),
  last_error: field(
    v.nullable(v.string()),
    'The last error; null without one. The request failed: `dns`, `connect`, `tls`, `timeout`, `reset` or ' +
      '`protocol`. The certificate was wrong: `tls_expired`, `tls_not_yet_valid`, `tls_wrong_host`, ' +
      '`tls_self_signed` or `tls_unknown_issuer`. The receiver asks for a certificate of the client: ' +
      '`tls_client_certificate`. The answer was not 2xx: `status`. Deliveries may not go to the address: `forbidden` ' +
      'if the name resolved to it, `blocked` if it is the target. The event is no longer stored, or its seven days ' +
      'passed before the first attempt: `expired`.',
  ),
  waiting_for: field(v.nullable(waitingFor), 'Why it waits; null if it does not.'),
  replayed_by: field(
    v.nullable(idSchema<DeliveryId>()),
    'The delivery by which a replay or a redelivery has sent the event again; null if none has. ' +
      'Its status stays, but it is no longer listed with `status=held`.',
  ),
  superseded_by: field(
    v.nullable(idSchema<DeliveryId>()),
    'The delivery that is sent instead of a `superseded` one; while the burst goes on, its newest. Null otherwise.',
  ),
});

export const pingResource = resource('Ping', {
  delivery_id: field(idSchema<DeliveryId>(), 'The id of the delivery; the log has its result.'),
});

export type Ping = Resource<typeof pingResource>;
export type DeliveryResource = Resource<typeof deliveryResource>;
export type WaitingFor = Resource<typeof waitingFor>;

/** Presents a delivery without its attempts; one without the field was not superseded. */
export const presentDelivery = (
  delivery: Omit<DeliveryResource, 'superseded_by'> & Partial<Pick<DeliveryResource, 'superseded_by'>>,
): DeliveryResource => present(deliveryResource, { superseded_by: null, ...delivery });
