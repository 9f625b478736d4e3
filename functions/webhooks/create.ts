/** `POST /admin/webhooks/`: creates a webhook; its secret is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { ignoredHeader } from '../../shared/http/ignored.ts';
import { created } from '../../shared/http/response.ts';
import { createWebhook } from '../../shared/webhooks/manage.ts';
import { newWebhook, newWebhookOf, requestFields } from '../../shared/webhooks/schema.ts';
import { presentNewWebhook } from '../../shared/webhooks/webhook.ts';

const rules = settings();

export const handler = endpoint({
  line: 'webhooks/create',
  body: (caller) => ({
    root: 'webhooks',
    item: caller.kind === 'integration' ? newWebhookOf(rules, caller.integrationId) : newWebhook(rules),
    max: 1,
  }),
  handle: async ({ body, items: [input], caller }) =>
    created(
      { webhooks: [presentNewWebhook(await createWebhook(input, caller))] },
      ignoredHeader(body, 'webhooks', requestFields),
    ),
});
