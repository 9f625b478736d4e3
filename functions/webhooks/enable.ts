/** `POST /admin/webhooks/{id}/enable/`: enables a webhook; only a replay sends the deliveries that were held. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/log/last-triggered.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { enableWebhook } from '../../shared/webhooks/status.ts';
import { presentWebhook, webhookResource } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/enable',
  answer: { status: 200, root: 'webhooks', item: webhookResource },
  handle: async ({ id, caller, reply }) => {
    const webhook = await enableWebhook(id<WebhookId>(), caller);
    return reply([presentWebhook(await withLastTriggered(webhook))]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Enable a webhook',
  description:
    'Events that happen from now on are delivered. What was held meanwhile is not sent: `POST ' +
    '/admin/webhooks/{id}/replays/` with `"status": "held"` sends it. No body is required.',
  examples: {
    resume: {
      summary: 'The receiver is back',
      path: example.path,
      answer: [{ ...example.changed, updated_at: '2026-11-21T09:25:00.000Z' }],
    },
  },
});
