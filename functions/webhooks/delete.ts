/** `DELETE /admin/webhooks/{id}/`: removes one webhook; what waits for it is cancelled. */
import { endpoint } from '../../shared/http/endpoint.ts';
import { noContent } from '../../shared/http/response.ts';
import type { WebhookId } from '../../shared/ids.ts';
import { findKey } from '../../shared/keys/find.ts';
import { deleteWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

export const handler = endpoint({
  line: 'webhooks/delete',
  keys: findKey,
  handle: async ({ id, caller }) => {
    await deleteWebhook(webhookStore, id<WebhookId>(), caller);
    return noContent();
  },
});
