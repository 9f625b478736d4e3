/** `POST /admin/webhooks/{id}/ping/`: delivers a `webhook.ping`; a successful one makes a disabled webhook available. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { ping } from '../../shared/deliveries/replays/requested.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/manage.ts';

const rules = settings().deliveries;

export const handler = endpoint({
  line: 'webhooks/ping',
  handle: async ({ id, caller }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    return accepted({ deliveries: [presentDelivery(await ping(webhook, rules))] });
  },
});
