/** `POST /admin/integrations/{id}/api_key/{key_id}/refresh/`: replaces a key, with an overlap on request; the new secret is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { withLastUse } from '../../shared/integrations/load.ts';
import { refreshKey } from '../../shared/integrations/manage.ts';
import { keyReplacement } from '../../shared/integrations/schema.ts';

export const handler = endpoint({
  line: 'integrations/refresh-key',
  body: () => ({ root: 'api_keys', item: keyReplacement, max: 1, otherwise: { previous_valid_hours: 0 } }),
  handle: async ({ id, items: [replacement], caller }) => {
    const { integration, key, previous } = await refreshKey(id<IntegrationId>(), id('key_id'), replacement, caller);
    const api_keys = [
      presentApiKey(integration.id, key, key.secret),
      ...(await withLastUse(previous)).map((one) => presentApiKey(integration.id, one)),
    ];
    return ok({ integrations: [presentIntegration(integration, { api_keys })] });
  },
});
