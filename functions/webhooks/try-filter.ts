/** `POST /admin/webhooks/{id}/trial/`: shows which of the newest events of a webhook a filter would let through; nothing is changed. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { countPreview } from '../../shared/deliveries/log/limit.ts';
import { newTrial, tryFilter } from '../../shared/deliveries/log/trial.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';
import { checkMayRead } from '../../shared/webhooks/staff-permission.ts';

export const handler = endpoint({
  line: 'webhooks/try-filter',
  body: () => ({ root: 'trials', item: newTrial, max: 1 }),
  handle: async ({ id, items: [{ filter }], caller, now }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    await checkMayRead(webhook.event, caller);
    await countPreview(caller, now);
    return ok({ trials: [await tryFilter(webhook, filter)] });
  },
});
