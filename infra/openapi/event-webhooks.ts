/** The deliveries of all events as `webhooks` of OpenAPI: headers, and for each event a body's schema and example. */
import { eventExamples } from '../../shared/events/examples.ts';
import type { Json } from './json-schema.ts';
import { type EventPayload, eventPayloads, type Part, type PayloadResource } from './payloads.ts';

/** The tag of the deliveries, whose description is the guide for receivers. */
export const receivingTag = 'Receiving events';

const headers: Readonly<Record<string, string>> = {
  'webhook-id': 'The id of the delivery, the same for all attempts.',
  'webhook-timestamp': 'The time of this attempt, in epoch seconds.',
  'webhook-signature':
    'With a secret: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks). ' +
    'The key is the part after `whsec_`, base64-decoded, or the UTF-8 bytes of any other secret.',
  'X-Ghost-Signature':
    'With a secret: `sha256=<hex>, t=<epoch ms>`; HMAC-SHA256 over the body followed by the time, with the UTF-8 ' +
    'bytes of the secret as key.',
  'Masthead-Event-Id':
    'The id of the event, unique in the stage, and the same for all webhooks, redeliveries and replays: ' +
    "the publisher's id, a dot, and 12 characters that tell publishers apart.",
  'Masthead-Event-Time': 'When the event was accepted, in ISO 8601.',
  'Masthead-Attempt': 'The number of the attempt, from 1.',
  'Masthead-Trigger': '`event`, `redelivery`, `replay` or `ping`.',
  traceparent: 'The trace of the event, as its publisher sent it (W3C Trace Context).',
  'Content-Version': 'The version of the payload.',
};

export const deliveryParameters: Json = Object.fromEntries(
  Object.entries(headers).map(([name, description]) => [
    `Delivery-${name}`,
    { name, in: 'header', description, schema: { type: 'string' } },
  ]),
);

const nothing = { type: 'object', maxProperties: 0, description: 'Empty.' };

const partSchema = ({ name, required }: PayloadResource, part: Part): Json => {
  const $ref = `#/components/schemas/${name}`;
  switch (part) {
    case 'whole':
      return { $ref, required };
    case 'changes':
      return { $ref, description: 'The previous values of the changed fields, and only these.' };
    case 'empty':
      return nothing;
  }
};

/** Returns the schema of the body in the current API version. */
export const bodySchema = ({ event, parts }: EventPayload): Json => ({
  type: 'object',
  required: ['event', ...(parts === undefined ? [] : [parts.key])],
  properties: {
    event: { type: 'string', const: event, description: 'The name of the event; not up to API version 5.' },
    ...(parts !== undefined && {
      [parts.key]: {
        type: 'object',
        required: ['current', 'previous'],
        properties: {
          current: partSchema(parts.resource, parts.current),
          previous: partSchema(parts.resource, parts.previous),
        },
      },
    }),
  },
});

export const deliveries: Json = Object.fromEntries(
  eventPayloads.map((payload) => [
    payload.event,
    {
      post: {
        operationId: `${payload.event}-delivery`,
        tags: [receivingTag],
        summary: payload.event,
        description: payload.description,
        security: [],
        parameters: Object.keys(deliveryParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: bodySchema(payload),
              example: { event: payload.event, ...eventExamples[payload.event]?.payload },
            },
          },
        },
        responses: {
          '2XX': { description: 'Received.' },
          '410': { description: 'Disables the webhook: this delivery and later ones are held.' },
        },
      },
    },
  ]),
);
