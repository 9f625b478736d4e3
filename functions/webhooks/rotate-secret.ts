/** `POST /admin/webhooks/{id}/secret/`: rotates the secret of a webhook; the new one is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { exampleOf } from '../../shared/foundation/example-of.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { rotateSecret } from '../../shared/webhooks/secret.ts';
import { secretResource } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/rotate-secret',
  answer: { status: 200, root: 'secrets', item: secretResource },
  handle: async ({ id, caller, reply }) => {
    const { secret, previous } = await rotateSecret(id<WebhookId>(), caller);
    return reply([{ secret, previous_valid_until: previous[0]?.until ?? null }]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Rotate the secret of a webhook',
  description:
    'Generates a secret in the form of Standard Webhooks, which is not returned again. ' +
    '`webhook-signature` also has a signature with each earlier secret, for a day after its rotation; ' +
    '`X-Ghost-Signature` has one value, made with the new secret. A secret can be rotated five times a day; ' +
    'beyond that, 429 with `Retry-After`. No body is required.',
  examples: {
    rotate: {
      summary: 'The secret was leaked',
      path: example.path,
      answer: [exampleOf(secretResource, { previous_valid_until: '2026-11-22T09:15:00.000Z' })],
    },
  },
});
