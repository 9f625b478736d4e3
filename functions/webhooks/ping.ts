/** `POST /admin/webhooks/{id}/ping/`: posts a `webhook.ping` to one webhook; with success, it enables a disabled webhook. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ping } from '../../shared/deliveries/requested.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

const rules = settings().deliveries;

export const handler = endpoint({
  line: 'webhooks/ping',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(webhookStore, id<WebhookId>(), caller);
    return accepted({ deliveries: [presentDelivery(await ping(webhook, rules))] });
  },
});
