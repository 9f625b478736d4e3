/** `DELETE /admin/webhooks/{id}/`: removes one webhook; what waits for it is cancelled. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { noContent } from '../../shared/http/response.ts';
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
