/** `POST /admin/webhooks/{id}/enable/`: enables a webhook; only a replay sends the deliveries that were held. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/log/last-triggered.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { enableWebhook } from '../../shared/webhooks/status.ts';
import { presentWebhook } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/enable',
  handle: async ({ id, caller }) => {
    const webhook = await enableWebhook(id<WebhookId>(), caller);
    return ok({ webhooks: [presentWebhook(await withLastTriggered(webhook))] });
  },
});
