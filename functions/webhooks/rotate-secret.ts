/** `POST /admin/webhooks/{id}/secret/`: rotates the secret of a webhook; the new one is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { rotateSecret } from '../../shared/webhooks/secret.ts';

export const handler = endpoint({
  line: 'webhooks/rotate-secret',
  handle: async ({ id, caller }) => {
    const { secret, previous } = await rotateSecret(id<WebhookId>(), caller);
    return ok({ secrets: [{ secret, previous_valid_until: previous[0]?.until ?? null }] });
  },
});
