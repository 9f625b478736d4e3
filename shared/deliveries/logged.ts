/** The resources of a delivery in the log, with what has happened and with its attempts. Few functions need them. */
import * as v from 'valibot';
import { field, present, type Resource, resource, timeSchema } from '../foundation/resource.ts';
import { deliveryResource } from './resource.ts';

export const listedDeliveryResource = resource('ListedDelivery', {
  ...deliveryResource.entries,
  title: field(
    v.optional(v.nullable(v.string())),
    'With `include=title` or `search`: what has happened, in a sentence; null if the payload is no longer stored.',
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
    'Its phases in milliseconds; null for a phase that did not happen, such as connecting on an open connection.',
  ),
  status: field(v.nullable(v.string()), 'The HTTP status of the response, as a string; null without a response.'),
  error: field(v.nullable(v.string()), 'The error, as in `last_error`; null without an error.'),
  response: field(v.nullable(v.string()), 'The first KiB of the response body; null without one.'),
});

const requestResource = v.strictObject({
  method: field(v.literal('POST'), 'Always `POST`.', 'POST'),
  url: field(v.string(), 'Where it was sent: the target, or the address that the format chooses for the event.'),
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
    'The request of the last attempt, rebuilt from the stored event; null before the first attempt, if the event is ' +
      'no longer stored, or if the reader is an integration that may no longer receive it.',
  ),
  log: field(v.array(attemptResource), 'Its attempts, oldest first.'),
});

export type ListedDelivery = Resource<typeof listedDeliveryResource>;
export type DeliveryWithLogResource = Resource<typeof deliveryWithLogResource>;
export type Attempt = Resource<typeof attemptResource>;

/** Presents a delivery of the list of all webhooks. */
export const presentListedDelivery = (delivery: ListedDelivery): ListedDelivery =>
  present(listedDeliveryResource, delivery);

/** Presents a delivery with its attempts, and the request of the last one. */
export const presentDeliveryWithLog = (
  delivery: Omit<DeliveryWithLogResource, 'request'>,
  request: DeliveryWithLogResource['request'],
): DeliveryWithLogResource => present(deliveryWithLogResource, { ...delivery, request });
