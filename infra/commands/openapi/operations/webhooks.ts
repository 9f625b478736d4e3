/** The OpenAPI texts of webhooks. */
import { secretResource, webhookResource } from '../../../../shared/webhooks/webhook.ts';
import { newWebhook, webhookChanges } from '../components.ts';
import { exampleOf } from '../example-of.ts';
import type { ErrorCase, Operation } from '../operation.ts';
import { errorAnswer, forbidden, invalid, notFound, otherId } from './errors.ts';

const resource = 'Webhooks';

const duplicate: ErrorCase = {
  status: 422,
  type: 'ValidationError',
  when: 'another webhook has this event and target_url, compared case-insensitively across all integrations; `details` has its id as `limit` if the caller can manage it',
};
export const unknown = notFound('no webhook has this id');
export const others = forbidden('the webhook belongs to another integration');

const ofHook = {
  id: '019acb5130f4a1b2c3d4e5f6',
  integration_id: '019acb4c2d10a1b2c3d4e5f6',
  status: 'available',
  created_at: '2026-11-21T09:10:00.000Z',
  updated_at: '2026-11-21T09:10:00.000Z',
};
export const hook = { ...exampleOf(webhookResource, ofHook), ...ofHook };

const { event, target_url, name, integration_id } = exampleOf(webhookResource, ofHook);
const path = { id: hook.id };

const changed = { ...hook, name: null, api_version: 'v5', updated_at: '2026-11-21T09:12:00.000Z' };

export const webhooks = {
  'webhooks/create': {
    resource,
    summary: 'Create a webhook',
    description:
      'Every event with this name is delivered to `target_url` from now on. With a `secret`, deliveries are signed. The secret is not returned again.',
    body: { root: 'webhooks', item: newWebhook, max: 1 },
    answer: { status: 201, root: 'webhooks', item: webhookResource },
    errors: [duplicate, invalid('integration_id', 'a staff key sends no integration, or an unknown one')],
    examples: {
      'with-secret': {
        summary: 'A webhook with signed deliveries',
        caller: 'Owner',
        body: { webhooks: [{ event, target_url, name, secret: 'correct horse battery staple', integration_id }] },
        status: 201,
        answer: { webhooks: [{ ...hook, secret: 'correct horse battery staple' }] },
      },
      'near-miss': {
        summary: 'An unknown event and an invalid URL',
        caller: 'integration',
        body: { webhooks: [{ event: 'post.publishd', target_url: 'hooks.bookshop.example' }] },
        status: 422,
        answer: errorAnswer(
          'ValidationError',
          '`event` "post.publishd" does not exist; did you mean post.published, post.unpublished?',
          {
            context:
              'Also: target_url "hooks.bookshop.example" is not a URL; use an absolute one such as https://example.com/hook.',
            details: [
              { index: 0, field: 'event', rule: 'known_event', limit: null, received: 'a string of 13 characters' },
              { index: 0, field: 'target_url', rule: 'url', limit: null, received: 'a string of 22 characters' },
            ],
            property: 'event',
            help: 'Correct the fields listed in `details` and retry.',
          },
        ),
      },
      duplicate: {
        summary: 'The same event and URL again',
        caller: 'Owner',
        body: { webhooks: [{ event, target_url, integration_id }] },
        status: 422,
        answer: errorAnswer(
          'ValidationError',
          'A webhook for `post.published` with the URL `https://hooks.bookshop.example/masthead` already exists.',
          {
            context: '`event` and `target_url` are compared case-insensitively, across all integrations.',
            details: [
              { index: 0, field: 'target_url', rule: 'unique', limit: hook.id, received: 'a URL that is in use' },
            ],
            help: `Update or delete the webhook ${hook.id}, or use another target_url.`,
          },
        ),
      },
    },
  },
  'webhooks/update': {
    resource,
    summary: 'Update a webhook',
    description:
      'Omitted fields keep their values; other fields are ignored. A `secret` must be null or the stored one: to change it, rotate it. A disabled webhook becomes available.',
    body: { root: 'webhooks', item: webhookChanges, max: 1 },
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    errors: [unknown, others, invalid('secret', 'it is neither null nor the stored one'), duplicate, otherId],
    examples: {
      'older-payloads': {
        summary: 'Payloads of an older version, and no name',
        caller: 'Owner',
        path,
        body: { webhooks: [{ api_version: changed.api_version, name: '' }] },
        status: 200,
        answer: { webhooks: [changed] },
      },
      'another-secret': {
        summary: 'Another secret',
        caller: 'Owner',
        path,
        body: { webhooks: [{ secret: 'tr0ub4dor&3' }] },
        status: 422,
        answer: errorAnswer('ValidationError', '`secret` differs from the stored one, and a PUT does not change it.', {
          details: [
            { index: 0, field: 'secret', rule: 'unchanged', limit: null, received: 'a string of 11 characters' },
          ],
          property: 'secret',
          help: `Rotate it: POST /admin/webhooks/${hook.id}/secret/ returns a new one. Or omit \`secret\`.`,
        }),
      },
      'of-another-integration': {
        summary: 'The webhook of another integration',
        caller: 'integration',
        path,
        body: { webhooks: [{ name: 'Mine' }] },
        status: 403,
        answer: errorAnswer('NoPermissionError', 'This webhook belongs to another integration.', {
          help: 'Use the key of that integration, or of an Owner or Administrator.',
        }),
      },
    },
  },
  'webhooks/rotate-secret': {
    resource,
    summary: 'Rotate the secret of a webhook',
    description:
      'Generates a secret in the form of Standard Webhooks, which is not returned again. `webhook-signature` also has a signature with each earlier secret, for a day after its rotation; `X-Ghost-Signature` has one value, made with the new secret. A secret can be rotated five times a day; beyond that, 429 with `Retry-After`. No body is required.',
    answer: { status: 200, root: 'secrets', item: secretResource },
    errors: [unknown, others],
    examples: {
      rotate: {
        summary: 'The secret was leaked',
        caller: 'Owner',
        path,
        status: 200,
        answer: { secrets: [exampleOf(secretResource, { previous_valid_until: '2026-11-22T09:15:00.000Z' })] },
      },
    },
  },
  'webhooks/disable': {
    resource,
    summary: 'Disable a webhook',
    description:
      'Deliveries of events that happen from now on, and retries, are `held` (`waiting_for.reason` is `disabled`) until the webhook is available again; redeliveries, replays and pings are still sent. A disabled webhook stays as it is. No body is required.',
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    errors: [unknown, others],
    examples: {
      pause: {
        summary: 'The receiver is being rebuilt',
        caller: 'Owner',
        path,
        status: 200,
        answer: { webhooks: [{ ...changed, status: 'disabled', updated_at: '2026-11-21T09:20:00.000Z' }] },
      },
    },
  },
  'webhooks/enable': {
    resource,
    summary: 'Enable a webhook',
    description:
      'Events that happen from now on are delivered. What was held meanwhile is not sent: `POST /admin/webhooks/{id}/replays/` with `"status": "held"` sends it. No body is required.',
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    errors: [unknown, others],
    examples: {
      resume: {
        summary: 'The receiver is back',
        caller: 'Owner',
        path,
        status: 200,
        answer: { webhooks: [{ ...changed, updated_at: '2026-11-21T09:25:00.000Z' }] },
      },
    },
  },
  'webhooks/delete': {
    resource,
    summary: 'Delete a webhook',
    description: 'Unfinished deliveries are cancelled.',
    answer: { status: 204 },
    errors: [unknown, others],
    examples: { delete: { summary: 'The receiver is retired', caller: 'Owner', path, status: 204 } },
  },
} satisfies Record<string, Operation>;
