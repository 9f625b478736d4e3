/** `GET /admin/webhooks/{id}/options/`: shows the options of a webhook, without the values of headers and secrets. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { findOptions } from '../../shared/webhooks/manage.ts';
import { presentOptions } from '../../shared/webhooks/options.ts';
import { readFiltered } from '../../shared/webhooks/options-store.ts';

export const handler = endpoint({
  line: 'webhooks/read-options',
  handle: async ({ id, caller }) => {
    const webhookId = id<WebhookId>();
    const options = await findOptions(webhookId, caller);
    const filtered = options.filter === null ? 0 : (await readFiltered(webhookId)).count;
    return ok({ options: [presentOptions(options, filtered)] });
  },
});
