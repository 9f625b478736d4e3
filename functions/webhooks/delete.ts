/** `DELETE /admin/webhooks/{id}/`: deletes a webhook; its unfinished deliveries are cancelled. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import * as example from '../../shared/webhooks/example.ts';
import { deleteWebhook } from '../../shared/webhooks/manage.ts';

export const handler = endpoint({
  line: 'webhooks/delete',
  answer: { status: 204 },
  handle: async ({ id, caller, reply }) => {
    await deleteWebhook(id<WebhookId>(), caller);
    return reply();
  },
});

export const documentation = (): Documentation => ({
  tag: 'Webhooks',
  summary: 'Delete a webhook',
  description: 'Unfinished deliveries are cancelled.',
  examples: { delete: { summary: 'The receiver is retired', path: example.path } },
});
