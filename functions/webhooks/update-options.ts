/** `PUT /admin/webhooks/{id}/options/`: changes the given options of a webhook. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ValidationError } from '../../shared/foundation/errors.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, invalid } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { updateOptions } from '../../shared/webhooks/manage.ts';
import { optionsChanges, presentOptions } from '../../shared/webhooks/options.ts';
import { optionsResource } from '../../shared/webhooks/options-resource.ts';

export const handler = endpoint({
  line: 'webhooks/update-options',
  body: { root: 'options', item: optionsChanges, max: 1 },
  answer: { status: 200, root: 'options', item: optionsResource },
  handle: async ({ id, items: [changes], caller, reply }) =>
    reply([presentOptions(await updateOptions(id<WebhookId>(), changes, caller), 0)]),
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Change the options of a webhook',
  description:
    'Omitted options keep their values, and null removes one. `headers` replaces all headers: one that is sent as ' +
    'null keeps its value. See `docs/recipes/` for Slack, Discord, Teams, GitHub Actions, deploy hooks, ' +
    'Meilisearch and Algolia.',
  errors: [
    invalid('debounce', '`max_seconds` is less than `seconds`'),
    invalid('filter', 'it is no event pattern, or never matches; `property` has the path in it'),
    invalid('format', 'it does not fit the event or the target'),
  ],
  examples: {
    slack: {
      summary: 'Messages for Slack, of public posts with the tag `news`',
      path: example.path,
      body: [{ description: 'News for the desk', format: { type: 'slack' }, filter: example.publicNews }],
      answer: [
        {
          description: 'News for the desk',
          headers: {},
          format: { type: 'slack' },
          filter: example.publicNews,
          debounce: null,
          throttle: null,
          left_out: 0,
        },
      ],
    },
    template: {
      summary: 'A body and a header of your own',
      path: example.path,
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
          debounce: null,
          throttle: null,
          left_out: 0,
        },
      ],
    },
    'deploy-hook': {
      summary: 'One deployment for many edits',
      path: example.path,
      body: [{ headers: null, format: { type: 'deploy-hook' }, debounce: { seconds: 60, max_seconds: 600 } }],
      answer: [
        {
          description: null,
          headers: {},
          format: { type: 'deploy-hook' },
          filter: null,
          debounce: { seconds: 60, max_seconds: 600, per: 'webhook' },
          throttle: null,
          left_out: 0,
        },
      ],
    },
    'unknown-operator': {
      summary: 'An operator that filters do not have',
      path: example.path,
      body: [{ filter: { post: { current: { title: [{ suffix: 'today' }] } } } }],
      error: new ValidationError(
        '`filter.post.current.title.0` has the operator `suffix`; supported are `prefix`, `exists`, `anything-but` ' +
          'and `numeric`.',
        {
          property: 'filter.post.current.title.0',
          help:
            'Correct `filter.post.current.title.0` and retry; docs/compatibility.md, "Options of a webhook", ' +
            'describes it.',
          details: [
            { index: 0, field: 'filter.post.current.title.0', rule: 'pattern', limit: null, received: 'an object' },
          ],
        },
      ),
    },
    remove: {
      summary: 'No options',
      path: example.path,
      body: [{ description: null, headers: null, format: null, filter: null, debounce: null, throttle: null }],
      answer: [example.noOptions],
    },
  },
});
