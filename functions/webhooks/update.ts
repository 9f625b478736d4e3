/** `PUT /admin/webhooks/{id}/`: updates the given fields of a webhook. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { withLastTriggered } from '../../shared/deliveries/log/last-triggered.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ignoredHeader } from '../../shared/http/ignored.ts';
import { ok } from '../../shared/http/response.ts';
import { updateWebhook } from '../../shared/webhooks/manage.ts';
import { requestFields, webhookChanges } from '../../shared/webhooks/schema.ts';
import { presentWebhook } from '../../shared/webhooks/webhook.ts';

const item = webhookChanges(settings());

export const handler = endpoint({
  line: 'webhooks/update',
  body: () => ({ root: 'webhooks', item, max: 1, sameIdAsPath: true }),
  handle: async ({ id, body, items: [changes], caller }) => {
    const webhook = await updateWebhook(id<WebhookId>(), changes, caller);
    const shown = presentWebhook(await withLastTriggered(webhook));
    return ok({ webhooks: [shown] }, ignoredHeader(body, 'webhooks', requestFields));
  },
});
