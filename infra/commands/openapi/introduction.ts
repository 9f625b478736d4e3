/** The introduction of the OpenAPI document, and the description of deliveries for receivers. */
import { readFileSync } from 'node:fs';
import type { Json } from './json-schema.ts';

export const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8').trimEnd();

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
});

/** `docs/receiving.md` without its title and without links to files, which the documentation page does not serve. */
const receivingGuide = readFileSync(new URL('../../../docs/receiving.md', import.meta.url), 'utf8')
  .replace(/^# .*\n/, '')
  .replaceAll(/\[([^\]]+)\]\((?!https:)[^)]*\)/g, '$1');

/** The requests that Masthead sends, as `webhooks` of OpenAPI. */
export const deliveries: Json = {
  event: {
    post: {
      operationId: 'delivery',
      tags: ['Deliveries'],
      summary: 'Deliver an event',
      description: receivingGuide,
      security: [],
      parameters: [
        header('webhook-id', 'The id of the delivery, the same for all attempts.'),
        header('webhook-timestamp', 'The time of this attempt, in epoch seconds.'),
        header(
          'webhook-signature',
          'With a secret: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks). The key is the part after `whsec_`, base64-decoded, or the UTF-8 bytes of any other secret.',
        ),
        header(
          'X-Ghost-Signature',
          'With a secret: `sha256=<hex>, t=<epoch ms>`; HMAC-SHA256 over the body followed by the time, with the UTF-8 bytes of the secret as key.',
        ),
        header('Masthead-Event-Id', 'The id of the event, the same for all webhooks, redeliveries and replays.'),
        header('Masthead-Event-Time', 'When the event was accepted, in ISO 8601.'),
        header('Masthead-Attempt', 'The number of the attempt, from 1.'),
        header('Masthead-Trigger', '`event`, `redelivery`, `replay` or `ping`.'),
        header('Content-Version', 'The version of the payload.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              description:
                'The key is the first part of the event name; `site.changed` has none. Up to API version 5 there is no `event`.',
              properties: { event: { type: 'string', description: 'The name of the event.' } },
              additionalProperties: {
                type: 'object',
                properties: {
                  current: { type: 'object', description: 'The current state; empty for a deleted resource.' },
                  previous: {
                    type: 'object',
                    description: 'The previous values of changed fields; empty for an added resource.',
                  },
                },
              },
            },
            examples: {
              published: {
                summary: 'A post was published',
                value: {
                  event: 'post.published',
                  post: {
                    current: { id: '6748a1b2c3d4e5f601234567', title: 'Hello', status: 'published' },
                    previous: { status: 'draft' },
                  },
                },
              },
            },
          },
        },
      },
      responses: { '2XX': { description: 'Received.' }, '410': { description: 'Removes the webhook.' } },
    },
  },
};
