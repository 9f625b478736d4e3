/** The introduction of the OpenAPI document, and the description of deliveries for receivers. */
import { readFileSync } from 'node:fs';
import type { Json } from './json-schema.ts';

export const introduction = `Masthead invites staff by e-mail and delivers events to other systems by webhook. It implements these parts of the Ghost Admin API: clients of Ghost need a new URL and a new key, nothing else.

## Paths

Paths are relative to the base URL. The trailing slash is optional. Ids are 24 lower-case hex characters; times are ISO 8601 in UTC with milliseconds.

## Keys and tokens

A request carries \`Authorization: Ghost <token>\`. The token is a JSON Web Token, signed with an Admin API key of the form \`{id}:{secret}\`:

- header: \`{"alg": "HS256", "typ": "JWT", "kid": "<id>"}\`
- claims: \`iat\` (now, in seconds; at most five minutes off) and \`aud\` (\`"/admin/"\`); \`exp\` and \`nbf\` are checked if present
- signature: HMAC-SHA256 with the secret, decoded from hex to 32 bytes

In a shell, with the key in \`MASTHEAD_KEY\`:

\`\`\`sh
encoded() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
NOW=$(date +%s)
HEADER=$(printf '{"alg":"HS256","typ":"JWT","kid":"%s"}' "\${MASTHEAD_KEY%%:*}" | encoded)
CLAIMS=$(printf '{"iat":%s,"exp":%s,"aud":"/admin/"}' "$NOW" "$((NOW + 300))" | encoded)
SIGNATURE=$(printf '%s.%s' "$HEADER" "$CLAIMS" | openssl dgst -binary -sha256 -mac HMAC -macopt "hexkey:\${MASTHEAD_KEY#*:}" | encoded)
TOKEN="$HEADER.$CLAIMS.$SIGNATURE"
\`\`\`

The key of an integration manages its own webhooks, creates invites, and publishes events if the integration has \`can_publish\`. The key of a staff member has the permissions of that member's role.

## Bodies

Every body is an object with one key, the plural name of the resource, which holds an array: \`{"webhooks": [{…}]}\`. Paginated lists also have \`meta\`. Send UTF-8 JSON with \`Content-Type: application/json\`, uncompressed.

## Errors

The body of an error is \`{"errors": [{…}]}\` with one entry. \`message\`, \`context\` and \`help\` are for people. Programs switch on the status, \`type\` and \`code\`; \`property\` is the first invalid field, and \`details\` lists every failure. \`id\` is also in the log.

## Versions

\`Content-Version\` is the version of the API. Send the version that your client was written for as \`Accept-Version\`.`;

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
