/** What the OpenAPI document says before it comes to the endpoints: tokens, errors, versions, and what receivers get. */
import type { Json } from './json-schema.ts';

export const introduction = `Masthead invites staff by e-mail, and tells other systems by webhook what happened. It speaks the Ghost Admin API, so that clients made for Ghost work with nothing but a new URL.

## Paths

All paths lie below the base URL. The slash at their end may be left out. Ids are 24 lower-case hex characters, times ISO 8601 in UTC with milliseconds.

## Keys and tokens

A request carries \`Authorization: Ghost <token>\`. The token is a JSON Web Token, signed with an Admin API key, which looks like \`{id}:{secret}\`:

- header: \`{"alg": "HS256", "typ": "JWT", "kid": "<id>"}\`
- claims: \`iat\` (now, in seconds; at most five minutes off) and \`aud\` (\`"/admin/"\`); \`exp\` and \`nbf\` are honoured
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

A key belongs to an integration, which manages its own webhooks, invites people, and publishes where it may; or to a staff member, whose role decides.

## Bodies

Every body is an object with one key, the plural name of the resource, which holds a list: \`{"webhooks": [{…}]}\`. Lists that come in pages have \`meta\` beside it. Send JSON in UTF-8 with \`Content-Type: application/json\`, and not compressed.

## Errors

An error has a status and \`{"errors": [{…}]}\` with one entry. \`message\`, \`context\` and \`help\` are for people. Programs switch on status, \`type\` and \`code\`; \`property\` names the first field that is wrong, and \`details\` everything that is. \`id\` also stands in the log.

## Versions

\`Content-Version\` says which version answers. Send the one that you were written for as \`Accept-Version\`.`;

/** What Masthead itself sends; receivers are described by OpenAPI's own `webhooks`. */
export const deliveries: Json = {
  event: {
    post: {
      operationId: 'delivery',
      tags: ['Deliveries'],
      summary: 'What a webhook gets when its event occurs',
      description:
        'One POST to `target_url`, built for the `api_version` of the webhook. Any 2xx is success; 410 removes the webhook; everything else is tried again, for days. Redirects are failures. Deliveries may come twice and out of order: tell them apart by `webhook-id`.',
      security: [],
      parameters: [
        header('webhook-id', 'Names the delivery; the same over all its attempts.'),
        header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
        header(
          'webhook-signature',
          'With a secret: `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` (Standard Webhooks). Key: what follows `whsec_`, base64-decoded; of another secret its UTF-8 bytes.',
        ),
        header(
          'X-Ghost-Signature',
          'With a secret: `sha256=<hex>, t=<ms>`; HMAC-SHA256 with the secret as key over the body, directly followed by the time.',
        ),
        header('Content-Version', 'The version that the payload was built for.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              description:
                "The resource is the first part of the event's name. `site.changed` has none. Up to API version 5 there was no `event`.",
              properties: { event: { type: 'string', description: 'The name of the event.' } },
              additionalProperties: {
                type: 'object',
                properties: {
                  current: { type: 'object', description: 'How it is now; empty where it was deleted.' },
                  previous: { type: 'object', description: 'What was otherwise before; empty where it was added.' },
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
      responses: { '2XX': { description: 'It was received.' }, '410': { description: 'Nobody wants it any more.' } },
    },
  },
};

function header(name: string, description: string): Json {
  return { name, in: 'header', description, schema: { type: 'string' } };
}
