/** `POST /admin/integrations/`: creates an integration with its first key, whose secret is in this answer and nowhere else. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { newId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { created } from '../../shared/http/response.ts';
import { readIncluded } from '../../shared/integrations/browse.ts';
import { presentApiKey, presentIntegration } from '../../shared/integrations/integration.ts';
import { addIntegration } from '../../shared/integrations/manage.ts';
import { newIntegration } from '../../shared/integrations/schema.ts';
import { createIntegration } from '../../shared/integrations/store.ts';

const ports = { create: createIntegration, clock: systemClock, ids: newId };

export const handler = endpoint({
  line: 'integrations/create',
  keys: findKey,
  body: () => ({ root: 'integrations', item: newIntegration, max: 1 }),
  handle: async ({ request: { query }, items: [input] }) => {
    const { integration, key } = await addIntegration(ports, input);
    const shown = presentIntegration(integration, {
      webhooks: readIncluded(query).webhooks ? [] : undefined,
      api_keys: [presentApiKey(integration.id, key, { secret: key.secret })],
    });
    return created({ integrations: [shown] }, { Location: `${baseUrl()}/admin/integrations/${integration.id}/` });
  },
});
