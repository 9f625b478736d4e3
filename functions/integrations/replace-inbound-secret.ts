/** `POST /admin/integrations/{id}/inbound_secret/`: makes or replaces the secret with which a Ghost site signs; it is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { replaceInboundSecret } from '../../shared/integrations/ghost-signature.ts';

export const handler = endpoint({
  line: 'integrations/replace-inbound-secret',
  handle: async ({ id, caller }) =>
    ok({ secrets: [{ secret: await replaceInboundSecret(id<IntegrationId>(), caller) }] }),
});
