/** `GET /admin/webhooks/{id}/options/`: shows the options of a webhook, without the values of headers and secrets. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { findOptions } from '../../shared/webhooks/manage.ts';
import { presentOptions } from '../../shared/webhooks/options.ts';
import { optionsResource } from '../../shared/webhooks/options-resource.ts';
import { readFiltered } from '../../shared/webhooks/options-store.ts';

export const handler = endpoint({
  line: 'webhooks/read-options',
  answer: { status: 200, root: 'options', item: optionsResource },
  handle: async ({ id, caller, reply }) => {
    const webhookId = id<WebhookId>();
    const options = await findOptions(webhookId, caller);
    const filtered = options.filter === null ? 0 : (await readFiltered(webhookId)).count;
    return reply([presentOptions(options, filtered)]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Read the options of a webhook',
  description: 'The values of headers and the secrets of a format are null: they are not returned.',
  examples: {
    none: {
      summary: 'A webhook without options',
      path: example.path,
      answer: [example.noOptions],
    },
  },
});
