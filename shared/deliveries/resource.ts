/** The resources of a delivery and its attempts: their fields, order and documentation. */
import * as v from 'valibot';
import type { DeliveryId, WebhookId } from '../foundation/ids.ts';
import { field, idSchema, present, type Resource, resource, timeSchema } from '../foundation/resource.ts';

/** What triggered a delivery: the event itself, or a request. */
export const triggers = ['event', 'redelivery', 'replay', 'ping'] as const;
export type Trigger = (typeof triggers)[number];

export const deliveryStates = ['pending', 'retrying', 'delivered', 'failed', 'cancelled', 'blocked', 'held'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What a delivery can wait for. */
export const waitReasons = {
  schedule: 'the retry schedule',
  retry_after: 'the time that the receiver requested',
  circuit_breaker: 'the next probe of a webhook that keeps failing, or an answer that is late',
  disabled: 'the webhook is disabled',
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

/** All 14 fields are in every response with a delivery. */
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
    '`pending`: before its first attempt; `retrying`: a further attempt follows; `delivered`; `failed`: no attempt is left; `cancelled`: the webhook was deleted, subscribes to another event, or may no longer receive this one, or the event expired before the first attempt; `blocked`: the target is not allowed; `held`: the webhook is disabled or unreachable, a replay sends it and sets `replayed_by`.',
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
    'The last error; null without one. The request failed: `dns`, `connect`, `tls`, `timeout`, `reset` or `protocol`. The certificate was wrong: `tls_expired`, `tls_not_yet_valid`, `tls_wrong_host`, `tls_self_signed` or `tls_unknown_issuer`. The receiver asks for a certificate of the client: `tls_client_certificate`. The answer was not 2xx: `status`. Deliveries may not go to the address: `forbidden` if the name resolved to it, `blocked` if it is the target. The webhook kept failing, so the delivery is held: `unreachable`. The event is no longer stored, or its seven days passed before the first attempt: `expired`.',
  ),
  waiting_for: field(v.nullable(waitingFor), 'Why it waits; null if it does not.'),
  replayed_by: field(
    v.nullable(idSchema<DeliveryId>()),
    'The delivery by which a replay or a redelivery has sent the event again; null if none has. Its status stays, but it is no longer listed with `status=held`.',
  ),
});

const ms = (description: string) => field(v.nullable(v.number()), description);

const attemptResource = v.strictObject({
  number: field(v.pipe(v.number(), v.integer()), 'Counted from 1.'),
  started_at: field(timeSchema, 'When it started.'),
  duration_ms: field(v.number(), 'How long it took, in milliseconds.'),
  timings: field(
    v.strictObject({
      dns_ms: ms('Resolving the name.'),
      connect_ms: ms('Opening the connection.'),
      tls_ms: ms('The TLS handshake.'),
      first_byte_ms: ms('From the open connection to the headers of the response.'),
    }),
    'Its phases in milliseconds; null for a phase that did not happen, such as connecting on a connection that is open.',
  ),
  status: field(v.nullable(v.string()), 'The HTTP status of the response, as a string; null without a response.'),
  error: field(v.nullable(v.string()), 'The error, as in `last_error`; null without an error.'),
  response: field(v.nullable(v.string()), 'The first KiB of the response body; null without one.'),
});

const requestResource = v.strictObject({
  headers: field(
    v.record(v.string(), v.string()),
    'Its headers, without the signatures themselves: `v1,…`, and `sha256=…, t=` with its time.',
  ),
  body: field(v.string(), 'The exact body, or its first 256 KiB; `Content-Length` in `headers` is its whole length.'),
});

export const deliveryWithLogResource = resource('DeliveryWithLog', {
  ...deliveryResource.entries,
  request: field(
    v.nullable(requestResource),
    'The request of the last attempt, rebuilt from the stored event; null before the first attempt, if the event is no longer stored, or if the reader is an integration that may no longer receive it.',
  ),
  log: field(v.array(attemptResource), 'Its attempts, oldest first.'),
});

/** The response to a ping. */
export const pingResource = resource('Ping', {
  delivery_id: field(idSchema<DeliveryId>(), 'The id of the delivery; the log has its result.'),
});

export type Ping = Resource<typeof pingResource>;
export type DeliveryResource = Resource<typeof deliveryResource>;
export type DeliveryWithLogResource = Resource<typeof deliveryWithLogResource>;
/** One attempt, as the log shows it. */
export type Attempt = Resource<typeof attemptResource>;
export type WaitingFor = Resource<typeof waitingFor>;

/** Presents a delivery without its attempts. */
export const presentDelivery = (delivery: DeliveryResource): DeliveryResource => present(deliveryResource, delivery);

/** Presents a delivery with its attempts, and the request of the last one. */
export const presentDeliveryWithLog = (
  delivery: Omit<DeliveryWithLogResource, 'request'>,
  request: DeliveryWithLogResource['request'],
): DeliveryWithLogResource => present(deliveryWithLogResource, { ...delivery, request });
