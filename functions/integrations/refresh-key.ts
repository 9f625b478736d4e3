/** `POST /admin/integrations/{id}/api_key/{key_id}/refresh/`: replaces a key; the new secret is not returned again. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { ApiKeyId, IntegrationId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { refreshKey } from '../../shared/integrations/manage.ts';
import { listKeysOf } from '../../shared/integrations/store.ts';

export const handler = endpoint({
  line: 'integrations/refresh-key',
  handle: async ({ id }) => {
    const { integration, key } = await refreshKey(id<IntegrationId>(), id<ApiKeyId>('key_id'));
    const others = (await listKeysOf(integration.id)).filter((other) => other.id !== key.id);
    const api_keys = [
      presentApiKey(integration.id, key, key.secret),
      ...others.map((other) => presentApiKey(integration.id, other)),
    ];
    return ok({ integrations: [presentIntegration(integration, { api_keys })] });
  },
});
