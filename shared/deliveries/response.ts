/** The schemas of what clients see of a delivery: its twelve fields, and those of its attempts. */
import * as v from 'valibot';
import { responseId, responseTime } from '../foundation/response-fields.ts';
import { deliveryStates, triggers } from './delivery.ts';

const ms = (description: string) => v.pipe(v.nullable(v.number()), v.description(description));

export const deliveryResponse = v.strictObject({
  id: v.pipe(
    responseId,
    v.description('Names the delivery; its receiver gets it as `webhook-id`, the same with each attempt.'),
  ),
  webhook_id: v.pipe(responseId, v.description('The webhook it is for.')),
  event: v.pipe(v.string(), v.description('The name of the event.')),
  event_id: v.pipe(v.string(), v.description('The event that it carries.')),
  status: v.pipe(
    v.picklist(deliveryStates),
    v.description(
      '`pending`: before its first attempt; `retrying`: waits for another one; `delivered`; `failed`: no attempt is left; `cancelled`: the webhook was deleted or subscribes to another event; `blocked`: its address is refused; `held`: the webhook was disabled, a replay sends it.',
    ),
  ),
  trigger: v.pipe(v.picklist(triggers), v.description('What began it: an event, or somebody by hand.')),
  attempts: v.pipe(v.number(), v.integer(), v.description('How many were made.')),
  created_at: v.pipe(
    responseTime,
    v.description('When the event was accepted, or the delivery by hand was asked for.'),
  ),
  last_attempt_at: v.pipe(v.nullable(responseTime), v.description('When the last attempt began.')),
  next_attempt_at: v.pipe(
    v.nullable(responseTime),
    v.description('When the next one is due; null where there is none.'),
  ),
  last_status: v.pipe(
    v.nullable(v.string()),
    v.description('The HTTP status of the last answer, as text; null where there was none.'),
  ),
  last_error: v.pipe(
    v.nullable(v.string()),
    v.description(
      'What went wrong last: `dns`, `connect`, `tls`, `timeout`, `reset`, `protocol`, `status` (another status than 2xx), `blocked`, `unreachable` (no attempt was worth while in all its time), `expired` (its event is not kept any more); null where nothing did.',
    ),
  ),
});

const attempt = v.strictObject({
  number: v.pipe(v.number(), v.integer(), v.description('Counted from 1.')),
  started_at: v.pipe(responseTime, v.description('When it began.')),
  duration_ms: v.pipe(v.number(), v.description('How long it took, in milliseconds.')),
  timings: v.pipe(
    v.strictObject({
      dns_ms: ms('Resolving the name.'),
      connect_ms: ms('Opening the connection.'),
      tls_ms: ms('The TLS handshake.'),
      first_byte_ms: ms('From the connection being ready to the headers of the answer.'),
    }),
    v.description(
      'Its parts in milliseconds; null for what did not happen, such as opening a connection that is open.',
    ),
  ),
  status: v.pipe(
    v.nullable(v.string()),
    v.description('The HTTP status of the answer, as text; null where there was none.'),
  ),
  error: v.pipe(v.nullable(v.string()), v.description('What went wrong, as in `last_error`; null where nothing did.')),
  response: v.pipe(v.nullable(v.string()), v.description('The first KiB of the answer; null where there was none.')),
});

export const deliveryWithLogResponse = v.strictObject({
  ...deliveryResponse.entries,
  log: v.pipe(v.array(attempt), v.description('Its attempts, oldest first.')),
});

export type DeliveryResponse = v.InferOutput<typeof deliveryResponse>;
export type DeliveryWithLogResponse = v.InferOutput<typeof deliveryWithLogResponse>;
