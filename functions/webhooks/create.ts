/** `POST /admin/webhooks/`: creates one webhook. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { newId } from '../../shared/foundation/ids.ts';
import { created } from '../../shared/http/response.ts';
import { createWebhook } from '../../shared/webhooks/manage.ts';
import { newWebhook, newWebhookOf } from '../../shared/webhooks/schema.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';
import { presentWebhook } from '../../shared/webhooks/webhook.ts';

const ports = { store: webhookStore, clock: systemClock, ids: newId };
const rules = settings();

export const handler = endpoint({
  line: 'webhooks/create',
  body: (caller) => ({
    root: 'webhooks',
    item: caller.kind === 'integration' ? newWebhookOf(rules, caller.integrationId) : newWebhook(rules),
    max: 1,
  }),
  handle: async ({ items: [input] }) => {
    const webhook = await createWebhook(ports, input);
    return created({ webhooks: [presentWebhook(webhook, { secret: webhook.secret })] });
  },
});
