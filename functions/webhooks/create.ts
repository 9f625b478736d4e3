/** `POST /admin/webhooks/`: creates a webhook, with a new secret on request; no secret is returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ValidationError } from '../../shared/foundation/errors.ts';
import { type Documentation, invalid } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { createWebhook } from '../../shared/webhooks/manage.ts';
import { newWebhook, newWebhookOf } from '../../shared/webhooks/schema.ts';
import { secretParameter, withSecret } from '../../shared/webhooks/secret.ts';
import { presentNewWebhook, webhookResource } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/create',
  body: {
    root: 'webhooks',
    item: (rules, caller) =>
      caller?.kind === 'integration' ? newWebhookOf(rules, caller.integrationId) : newWebhook(rules),
    max: 1,
  },
  answer: { status: 201, root: 'webhooks', item: webhookResource },
  query: { secret: secretParameter },
  handle: async ({ query: { secret }, items: [input], caller, reply }) =>
    reply([presentNewWebhook(await createWebhook(withSecret(input, secret), caller))]),
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'Every event that `event` selects is delivered to `target_url` from now on. ' +
    'With a `secret`, deliveries are signed. The secret is not returned again. ' +
    '`?secret=generate` makes one, and is recommended: without a secret, the receiver cannot tell who sent a ' +
    'delivery.',
  errors: [
    example.duplicate,
    invalid('integration_id', 'a staff key sends no integration, or an unknown one'),
    invalid('integration_id', 'the integration or the stage has its maximum of webhooks; `details` names the cap'),
  ],
  examples: {
    'with-secret': {
      summary: 'A webhook with signed deliveries',
      body: [
        {
          event: example.sent.event,
          target_url: example.sent.target_url,
          name: example.sent.name,
          secret: 'correct horse battery staple',
          integration_id: example.sent.integration_id,
        },
      ],
      answer: [{ ...example.hook, secret: 'correct horse battery staple' }],
    },
    generated: {
      summary: 'A webhook with a new secret',
      query: { secret: 'generate' },
      body: [
        {
          event: 'page.published',
          target_url: 'https://hooks.bookshop.example/generated',
          name: example.sent.name,
          integration_id: example.sent.integration_id,
        },
      ],
      answer: [
        {
          ...example.hook,
          event: 'page.published',
          target_url: 'https://hooks.bookshop.example/generated',
          secret: 'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=',
        },
      ],
    },
    'near-miss': {
      summary: 'An unknown event and an invalid URL',
      caller: 'integration',
      body: [{ event: 'post.publishd', target_url: 'hooks.bookshop.example' }],
      error: new ValidationError(
        '`event` "post.publishd" does not exist; did you mean post.published, post.unpublished, page.published?',
        {
          context: 'Also: target_url is not a URL; use an absolute one such as https://example.com/hook.',
          details: [
            { index: 0, field: 'event', rule: 'known_event', limit: null, received: 'a string of 13 characters' },
            { index: 0, field: 'target_url', rule: 'url', limit: null, received: 'a string of 22 characters' },
          ],
          property: 'event',
          help:
            'Correct the fields listed in `details` and retry. Events of your own are added in the stage setting ' +
            '`ownEvents`.',
        },
      ),
    },
    duplicate: {
      summary: 'The same event and URL again',
      body: [
        { event: example.sent.event, target_url: example.sent.target_url, integration_id: example.sent.integration_id },
      ],
      error: new ValidationError('A webhook for `post.published` with this URL already exists.', {
        context: 'Names of events and `target_url` are compared case-insensitively, across all integrations.',
        details: [
          { index: 0, field: 'target_url', rule: 'unique', limit: example.hook.id, received: 'a URL that is in use' },
        ],
        help: `Update or delete the webhook ${example.hook.id}, or use another target_url.`,
      }),
    },
  },
});
