/** `POST /admin/webhooks/{id}/disable/`: disables a webhook; its deliveries are held until it is enabled and a replay sends them. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/log/last-triggered.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { disableWebhook } from '../../shared/webhooks/status.ts';
import { presentWebhook } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/disable',
  handle: async ({ id, caller }) => {
    const webhook = await disableWebhook(id<WebhookId>(), caller);
    return ok({ webhooks: [presentWebhook(await withLastTriggered(webhook))] });
  },
});
