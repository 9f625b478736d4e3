/** The OpenAPI texts of webhooks. */

import { previewResource } from '../../../shared/deliveries/log/resource.ts';
import { NoPermissionError, ValidationError } from '../../../shared/foundation/errors.ts';
import { optionsChanges } from '../../../shared/webhooks/options.ts';
import { optionsResource } from '../../../shared/webhooks/options-resource.ts';
import { secretResource, webhookResource } from '../../../shared/webhooks/webhook.ts';
import { newPreview, newWebhook, webhookChanges } from '../components.ts';
import { failure, forbidden, invalid, notFound } from '../errors.ts';
import { exampleOf } from '../example-of.ts';
import type { OperationTexts } from '../operation.ts';

const duplicate = failure(
  'ValidationError',
  'another webhook has this event and target_url, compared case-insensitively across all integrations; `details` has its id as `limit` if the caller can manage it',
);

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

const publicNews = { post: { current: { visibility: ['public'], tags: { slug: ['news'] } } } };

export const webhooks = {
  'webhooks/create': {
    summary: 'Create a webhook',
    description:
      'Every event with this name is delivered to `target_url` from now on. With a `secret`, deliveries are signed. The secret is not returned again.',
    body: { root: 'webhooks', item: newWebhook, max: 1 },
    answer: { status: 201, root: 'webhooks', item: webhookResource },
    errors: [
      duplicate,
      invalid('integration_id', 'a staff key sends no integration, or an unknown one'),
      invalid('integration_id', 'the integration or the stage has its maximum of webhooks; `details` names the cap'),
    ],
    examples: {
      'with-secret': {
        summary: 'A webhook with signed deliveries',
        body: [{ event, target_url, name, secret: 'correct horse battery staple', integration_id }],
        answer: [{ ...hook, secret: 'correct horse battery staple' }],
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
            help: 'Correct the fields listed in `details` and retry. Events of your own are added in the stage setting `ownEvents`.',
          },
        ),
      },
      duplicate: {
        summary: 'The same event and URL again',
        body: [{ event, target_url, integration_id }],
        error: new ValidationError(
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
    summary: 'Update a webhook',
    description:
      'Omitted fields keep their values; other fields are ignored. A `secret` must be null or the stored one: to change it, rotate it. The `status` stays, with one exception: if the receiver failed or asked to be disabled, a new `target_url` makes the webhook available again. If `target_url` changes (but for its fragment), or the format, then the values of all headers and the secrets of the format must be sent again in `options`, or be removed.',
    body: { root: 'webhooks', item: webhookChanges, max: 1 },
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    errors: [
      invalid('secret', 'it is neither null nor the stored one'),
      invalid('options', 'the target or the format changes, and a secret of its options is not sent again'),
      duplicate,
    ],
    examples: {
      'older-payloads': {
        summary: 'Payloads of an older version, and no name',
        path,
        body: [{ api_version: changed.api_version, name: '' }],
        answer: [changed],
      },
      'another-secret': {
        summary: 'Another secret',
        path,
        body: [{ secret: 'tr0ub4dor&3' }],
        error: new ValidationError('`secret` differs from the stored one, and a PUT does not change it.', {
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
        body: [{ name: 'Mine' }],
        error: new NoPermissionError('This webhook belongs to another integration.', {
          help: 'Use the key of that integration, or of an Owner or Administrator.',
        }),
      },
    },
  },
  'webhooks/read-options': {
    summary: 'Read the options of a webhook',
    description: 'The values of headers and the secrets of a format are null: they are not returned.',
    answer: { status: 200, root: 'options', item: optionsResource },
    examples: {
      none: {
        summary: 'A webhook without options',
        path,
        answer: [{ description: null, headers: {}, format: { type: 'ghost' }, filter: null, left_out: 0 }],
      },
    },
  },
  'webhooks/update-options': {
    summary: 'Change the options of a webhook',
    description:
      'Omitted options keep their values, and null removes one. `headers` replaces all headers: one that is sent as null keeps its value. See `docs/recipes/` for Slack, Discord, Teams, GitHub Actions, deploy hooks, Meilisearch and Algolia.',
    body: { root: 'options', item: optionsChanges, max: 1 },
    answer: { status: 200, root: 'options', item: optionsResource },
    errors: [
      invalid('filter', 'it is no event pattern, or never matches; `property` has the path in it'),
      invalid('format', 'it does not fit the event or the target'),
    ],
    examples: {
      slack: {
        summary: 'Messages for Slack, of public posts with the tag `news`',
        path,
        body: [{ description: 'News for the desk', format: { type: 'slack' }, filter: publicNews }],
        answer: [
          {
            description: 'News for the desk',
            headers: {},
            format: { type: 'slack' },
            filter: publicNews,
            left_out: 0,
          },
        ],
      },
      template: {
        summary: 'A body and a header of your own',
        path,
        body: [
          {
            description: null,
            headers: { Authorization: 'Bearer 5e8c1f' },
            format: { type: 'template', template: { text: '{{post.current.title ?? "Untitled"}}' } },
            filter: null,
          },
        ],
        answer: [
          {
            description: null,
            headers: { Authorization: null },
            format: { type: 'template', template: { text: '{{post.current.title ?? "Untitled"}}' } },
            filter: null,
            left_out: 0,
          },
        ],
      },
      'unknown-operator': {
        summary: 'An operator that filters do not have',
        path,
        body: [{ filter: { post: { current: { title: [{ suffix: 'today' }] } } } }],
        error: new ValidationError(
          '`filter.post.current.title.0` has the operator `suffix`; supported are `prefix`, `exists`, `anything-but` and `numeric`.',
          {
            property: 'filter.post.current.title.0',
            help: 'Correct `filter.post.current.title.0` and retry; docs/compatibility.md, "Options of a webhook", describes it.',
            details: [
              { index: 0, field: 'filter.post.current.title.0', rule: 'pattern', limit: null, received: 'an object' },
            ],
          },
        ),
      },
      remove: {
        summary: 'No options',
        path,
        body: [{ description: null, headers: null, format: null, filter: null }],
        answer: [{ description: null, headers: {}, format: { type: 'ghost' }, filter: null, left_out: 0 }],
      },
    },
  },
  'webhooks/preview': {
    summary: 'Preview a delivery',
    description:
      'Shows the request that a webhook with these options would get for an example of an event or, with `event_id`, for a past event of a webhook. Nothing is sent, and no stored options are read. At most 120 previews and trials per minute for each staff member or integration.',
    body: { root: 'previews', item: newPreview, max: 1 },
    answer: { status: 200, root: 'previews', item: previewResource },
    errors: [
      notFound('no webhook has the id `webhook_id`, or none has had the event `event_id`, or it is no longer stored'),
      forbidden('the webhook belongs to another integration, or the integration may not receive events about staff'),
      invalid('webhook_id', 'it is missing, `event_id` is not, and the caller can see more than 1,000 webhooks'),
    ],
    examples: {
      'deploy-hook': {
        summary: 'A deploy hook with a header',
        body: [
          {
            event: 'post.published',
            example: true,
            target_url: 'https://api.example.com/build_hooks/5c23',
            options: { format: { type: 'deploy-hook' }, headers: { 'X-Team': 'news' } },
          },
        ],
        answer: [
          {
            method: 'POST',
            url: 'https://api.example.com/build_hooks/5c23',
            headers: {
              'Content-Version': 'v6.0',
              'X-Team': '…',
              'User-Agent': 'Masthead/0.1',
              'Masthead-Event-Id': '019acb6d2e30b2c3d4e5f6a1',
              'Masthead-Event-Time': '2026-11-21T09:10:00.000Z',
              'Masthead-Attempt': '1',
              'Masthead-Trigger': 'event',
              'webhook-id': '019acb6d2e30a1b2c3d4e5f6',
              'webhook-timestamp': '1795857000',
              'Content-Length': '0',
            },
            body: '',
            matched: true,
          },
        ],
      },
    },
  },
  'webhooks/rotate-secret': {
    summary: 'Rotate the secret of a webhook',
    description:
      'Generates a secret in the form of Standard Webhooks, which is not returned again. `webhook-signature` also has a signature with each earlier secret, for a day after its rotation; `X-Ghost-Signature` has one value, made with the new secret. A secret can be rotated five times a day; beyond that, 429 with `Retry-After`. No body is required.',
    answer: { status: 200, root: 'secrets', item: secretResource },
    examples: {
      rotate: {
        summary: 'The secret was leaked',
        path,
        answer: [exampleOf(secretResource, { previous_valid_until: '2026-11-22T09:15:00.000Z' })],
      },
    },
  },
  'webhooks/disable': {
    summary: 'Disable a webhook',
    description:
      'Deliveries of events that happen from now on, and retries, are `held` (`waiting_for.reason` is `disabled`) until the webhook is available again; redeliveries, replays and pings are still sent. A disabled webhook stays as it is. No body is required.',
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    examples: {
      pause: {
        summary: 'The receiver is being rebuilt',
        path,
        answer: [{ ...changed, status: 'disabled', updated_at: '2026-11-21T09:20:00.000Z' }],
      },
    },
  },
  'webhooks/enable': {
    summary: 'Enable a webhook',
    description:
      'Events that happen from now on are delivered. What was held meanwhile is not sent: `POST /admin/webhooks/{id}/replays/` with `"status": "held"` sends it. No body is required.',
    answer: { status: 200, root: 'webhooks', item: webhookResource },
    examples: {
      resume: {
        summary: 'The receiver is back',
        path,
        answer: [{ ...changed, updated_at: '2026-11-21T09:25:00.000Z' }],
      },
    },
  },
  'webhooks/delete': {
    summary: 'Delete a webhook',
    description: 'Unfinished deliveries are cancelled.',
    answer: { status: 204 },
    examples: { delete: { summary: 'The receiver is retired', path } },
  },
} satisfies Record<string, OperationTexts>;
