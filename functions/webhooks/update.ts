/** `PUT /admin/webhooks/{id}/`: changes the given fields of one webhook. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/last-triggered.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { updateWebhook } from '../../shared/webhooks/manage.ts';
import { webhookChanges } from '../../shared/webhooks/schema.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';
import { presentWebhook } from '../../shared/webhooks/webhook.ts';

const ports = { store: webhookStore, clock: systemClock };
const item = webhookChanges(settings());

export const handler = endpoint({
  line: 'webhooks/update',
  body: () => ({ root: 'webhooks', item, max: 1, sameIdAsPath: true }),
  handle: async ({ id, items: [changes], caller }) => {
    const webhook = await updateWebhook(ports, id<WebhookId>(), changes, caller);
    return ok({ webhooks: [presentWebhook(await withLastTriggered(webhook))] });
  },
});
