/** `PUT /admin/webhooks/{id}/options/`: changes the given options of a webhook. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { updateOptions } from '../../shared/webhooks/manage.ts';
import { optionsChanges, presentOptions } from '../../shared/webhooks/options.ts';

export const handler = endpoint({
  line: 'webhooks/update-options',
  body: () => ({ root: 'options', item: optionsChanges, max: 1 }),
  handle: async ({ id, items: [changes], caller }) =>
    ok({ options: [presentOptions(await updateOptions(id<WebhookId>(), changes, caller), 0)] }),
});
