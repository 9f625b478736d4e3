/** `POST /admin/webhooks/{id}/disable/`: disables a webhook; its deliveries are held until a replay sends them. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/log/last-triggered.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { disableWebhook } from '../../shared/webhooks/status.ts';
import { presentWebhook, webhookResource } from '../../shared/webhooks/webhook.ts';

export const handler = endpoint({
  line: 'webhooks/disable',
  answer: { status: 200, root: 'webhooks', item: webhookResource },
  handle: async ({ id, caller, reply }) => {
    const webhook = await disableWebhook(id<WebhookId>(), caller);
    return reply([presentWebhook(await withLastTriggered(webhook))]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Disable a webhook',
  description:
    'Deliveries of events that happen from now on, and retries, are `held` (`waiting_for.reason` is `disabled`) ' +
    'until the webhook is available again; redeliveries, replays and pings are still sent. ' +
    'A disabled webhook stays as it is. No body is required.',
  examples: {
    pause: {
      summary: 'The receiver is being rebuilt',
      path: example.path,
      answer: [{ ...example.changed, status: 'disabled', updated_at: '2026-11-21T09:20:00.000Z' }],
    },
  },
});
