/** `POST /admin/webhooks/{id}/ping/`: delivers a ping, an example or an earlier event once; a success enables. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { newPing, ping } from '../../shared/deliveries/replays/ping.ts';
import { pingResource } from '../../shared/deliveries/resource.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { recordRequest } from '../../shared/webhooks/audit.ts';
import { hook } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'webhooks/ping',
  body: { root: 'pings', item: newPing, max: 1, otherwise: {} },
  answer: { status: 202, root: 'pings', item: pingResource },
  handle: async ({ id, items: [wanted], caller, reply }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    const { id: delivery_id } = await ping(webhook, wanted, settings().deliveries);
    await recordRequest(caller, 'webhook.pinged', webhook, { delivery_id });
    return reply([{ delivery_id }]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Ping a webhook',
  description:
    'Delivers a `webhook.ping`, an example of an event (`example`), or an event that the webhook has had ' +
    '(`event_id`), in one attempt: it is not retried or filtered, and waits for no circuit breaker. ' +
    'A successful ping makes a disabled webhook available. At most 5 per minute and webhook. No body is required.',
  examples: {
    ping: {
      summary: 'A test of the receiver',
      path: { id: hook.id },
      answer: [{ delivery_id: '019acb6d2e30a1b2c3d4e5f6' }],
    },
    example: {
      summary: 'An example of an event',
      path: { id: hook.id },
      body: [{ event: 'post.published', example: true }],
      answer: [{ delivery_id: '019acb6d2e31a1b2c3d4e5f6' }],
    },
  },
});
