/** `DELETE /admin/webhooks/{id}/`: deletes a webhook; its unfinished deliveries are cancelled. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { deleteWebhook } from '../../shared/webhooks/manage.ts';

export const handler = endpoint({
  line: 'webhooks/delete',
  handle: async ({ id, caller }) => {
    await deleteWebhook(id<WebhookId>(), caller);
    return noContent();
  },
});
