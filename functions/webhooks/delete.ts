/** `DELETE /admin/webhooks/{id}/`: removes one webhook; what waits for it is cancelled. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { deleteWebhook } from '../../shared/webhooks/manage.ts';
import { webhookStore } from '../../shared/webhooks/store.ts';

export const handler = endpoint({
  line: 'webhooks/delete',
  handle: async ({ id, caller }) => {
    await deleteWebhook(webhookStore, id<WebhookId>(), caller);
    return noContent();
  },
});
