/** `POST /admin/integrations/{id}/api_key/{key_id}/refresh/`: replaces a key; the new secret is in this answer and nowhere else. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { type IntegrationId, type KeyId, newId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { refreshKey } from '../../shared/integrations/manage.ts';
import { listKeysOf, readIntegration, replaceKey } from '../../shared/integrations/store.ts';

const ports = { read: readIntegration, replace: replaceKey, clock: systemClock, ids: newId };

export const handler = endpoint({
  line: 'integrations/refresh-key',
  keys: findKey,
  handle: async ({ id }) => {
    const { integration, key } = await refreshKey(ports, id<IntegrationId>(), id<KeyId>('key_id'));
    const others = (await listKeysOf(integration.id)).filter((other) => other.id !== key.id);
    return ok({
      integrations: [
        presentIntegration(integration, {
          api_keys: [
            presentApiKey(integration.id, key, { secret: key.secret }),
            ...others.map((other) => presentApiKey(integration.id, other)),
          ],
        }),
      ],
    });
  },
});
