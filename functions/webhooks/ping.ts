/** `POST /admin/webhooks/{id}/ping/`: delivers a `webhook.ping`, an example or an earlier event, in one attempt; a success enables a disabled webhook. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { newPing, ping } from '../../shared/deliveries/replays/ping.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { accepted } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

const rules = settings();
const item = newPing(rules);

export const handler = endpoint({
  line: 'webhooks/ping',
  body: () => ({ root: 'pings', item, max: 1, otherwise: {} }),
  handle: async ({ id, items: [wanted], caller }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    return accepted({ pings: [{ delivery_id: (await ping(webhook, wanted, rules.deliveries)).id }] });
  },
});
