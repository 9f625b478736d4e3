/** `PUT /admin/webhooks/{id}/`: updates the given fields of a webhook. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/log/last-triggered.ts';
import { NoPermissionError, ValidationError } from '../../shared/foundation/errors.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, invalid } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { updateWebhook } from '../../shared/webhooks/manage.ts';
import { webhookChanges } from '../../shared/webhooks/schema.ts';
import { presentWebhook, webhookResource } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/update',
  body: { root: 'webhooks', item: webhookChanges, max: 1, sameIdAsPath: true },
  answer: { status: 200, root: 'webhooks', item: webhookResource },
  handle: async ({ id, items: [changes], caller, reply }) => {
    const webhook = await updateWebhook(id<WebhookId>(), changes, caller);
    const shown = presentWebhook(await withLastTriggered(webhook));
    return reply([shown]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Update a webhook',
  description:
    'Omitted fields keep their values; other fields are ignored. A `secret` must be null or the stored one: to ' +
    'change it, rotate it. The `status` stays, with one exception: if the receiver failed or asked to be disabled, ' +
    'a new `target_url` makes the webhook available again. If `target_url` changes (but for its fragment), or the ' +
    'format, then the values of all headers and the secrets of the format must be sent again in `options`, or be ' +
    'removed.',
  errors: [
    invalid('secret', 'it is neither null nor the stored one'),
    invalid('options', 'the target or the format changes, and a secret of its options is not sent again'),
    example.duplicate,
  ],
  examples: {
    'older-payloads': {
      summary: 'Payloads of an older version, and no name',
      path: example.path,
      body: [{ api_version: example.changed.api_version, name: '' }],
      answer: [example.changed],
    },
    'another-secret': {
      summary: 'Another secret',
      path: example.path,
      body: [{ secret: 'tr0ub4dor&3' }],
      error: new ValidationError('`secret` differs from the stored one, and a PUT does not change it.', {
        details: [{ index: 0, field: 'secret', rule: 'unchanged', limit: null, received: 'a string of 11 characters' }],
        property: 'secret',
        help: `Rotate it: POST /admin/webhooks/${example.hook.id}/secret/ returns a new one. Or omit \`secret\`.`,
      }),
    },
    'of-another-integration': {
      summary: 'The webhook of another integration',
      caller: 'integration',
      path: example.path,
      body: [{ name: 'Mine' }],
      error: new NoPermissionError('This webhook belongs to another integration.', {
        help: 'Use the key of that integration, or of an Owner or Administrator.',
      }),
    },
  },
});
