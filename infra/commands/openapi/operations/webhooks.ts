/** What the OpenAPI document says of webhooks. */
import { secretResource, webhookResource } from '../../../../shared/webhooks/webhook.ts';
import { newWebhook, webhookChanges } from '../components.ts';
import type { ErrorCase, Operation } from '../operation.ts';
import { errorAnswer } from './error-answer.ts';

const resource = 'Webhooks';

const duplicate: ErrorCase = {
  status: 422,
  type: 'ValidationError',
  when: 'another webhook has this event and target_url, compared without regard to case over all integrations',
};
export const unknown: ErrorCase = { status: 404, type: 'NotFoundError', when: 'no webhook has this id' };
export const others: ErrorCase = {
  status: 403,
  type: 'NoPermissionError',
  when: 'it is the webhook of another integration',
};

export const hook = {
  id: '019acb5130f4a1b2c3d4e5f6',
  event: 'post.published',
  target_url: 'https://hooks.bookshop.example/masthead',
  name: 'New posts',
  secret: null,
  api_version: 'v6.0',
  integration_id: '019acb4c2d10a1b2c3d4e5f6',
  status: 'available',
  last_triggered_at: null,
  last_triggered_status: null,
  last_triggered_error: null,
  created_at: '2026-11-21T09:10:00.000Z',
  updated_at: '2026-11-21T09:10:00.000Z',
};

const { event, target_url, name, integration_id } = hook;

const changed = {
  ...hook,
  name: null,
  api_version: 'v5',
  updated_at: '2026-11-21T09:12:00.000Z',
};

export const webhooks = {
  'webhooks/create': {
    resource,
    summary: 'Create a webhook',
    description:
      'From then on every event of this name is posted to `target_url`. With a `secret` deliveries are signed; it is in this answer and nowhere else.',
    body: { root: 'webhooks', item: newWebhook, max: 1 },
    answer: { status: 201, root: 'webhooks', item: webhookResource },
    errors: [
      duplicate,
      {
        status: 422,
        type: 'ValidationError',
        property: 'integration_id',
        when: 'a staff key names no integration, or one that does not exist',
      },
    ],
    examples: {
      'with-secret': {
        summary: 'A webhook whose deliveries are signed',
        caller: 'Owner',
        body: { webhooks: [{ event, target_url, name, secret: 'correct horse battery staple', integration_id }] },
        status: 201,
        answer: { webhooks: [{ ...hook, secret: 'correct horse battery staple' }] },
      },
      'near-miss': {
        summary: 'An event that does not exist, and a URL that is none',
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
            help: 'Mend what `details` lists and send the request again.',
          },
        ),
      },
      duplicate: {
        summary: 'The same event to the same URL',
        caller: 'integration',
        body: { webhooks: [{ event, target_url }] },
        status: 422,
        answer: errorAnswer(
          'ValidationError',
          'A webhook for `post.published` to `https://hooks.bookshop.example/masthead` exists already.',
          {
            context: '`event` and `target_url` are compared without regard to case, over all integrations.',
            help: 'Change or delete the other webhook, or give this one another target_url.',
          },
        ),
      },
    },
  },
  'webhooks/update': {
    resource,
    summary: 'Change a webhook',
    description:
      'Fields that are not sent keep their values; what is not writable is ignored. A disabled webhook is available again.',
    body: { root: 'webhooks', item: webhookChanges, max: 1 },
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    errors: [
      unknown,
      others,
      duplicate,
      { status: 400, type: 'BadRequestError', property: 'id', when: 'the `id` of the item is not the one in the path' },
    ],
    examples: {
      'older-payloads': {
        summary: 'Payloads of an older version, and no name any more',
        caller: 'Owner',
        path: { id: hook.id },
        body: { webhooks: [{ api_version: changed.api_version, name: '' }] },
        status: 200,
        answer: { webhooks: [changed] },
      },
      'of-another-integration': {
        summary: 'The webhook of another integration',
        caller: 'integration',
        path: { id: hook.id },
        body: { webhooks: [{ name: 'Mine' }] },
        status: 403,
        answer: errorAnswer('NoPermissionError', 'This webhook belongs to another integration.', {
          help: "Use that integration's key, or the key of an Owner or Administrator.",
        }),
      },
    },
  },
  'webhooks/rotate-secret': {
    resource,
    summary: 'Give a webhook a new secret',
    description:
      'It is made here, in the form of Standard Webhooks, and is in this answer and nowhere else. For a day deliveries are signed with the one before as well. No body is needed.',
    answer: { status: 200, root: 'secrets', item: secretResource },
    errors: [unknown, others],
    examples: {
      rotate: {
        summary: 'A new one for one that others know',
        caller: 'Owner',
        path: { id: hook.id },
        status: 200,
        answer: {
          secrets: [
            {
              secret: 'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=',
              previous_valid_until: '2026-11-22T09:15:00.000Z',
            },
          ],
        },
      },
    },
  },
  'webhooks/delete': {
    resource,
    summary: 'Delete a webhook',
    description: 'Deliveries that still wait are cancelled.',
    answer: { status: 204 },
    errors: [unknown, others],
    examples: {
      delete: { summary: 'It gets nothing any more', caller: 'Owner', path: { id: hook.id }, status: 204 },
    },
  },
} satisfies Record<string, Operation>;
