/** `PUT /admin/integrations/{id}/`: updates the given fields of an integration. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { readIncluded, showIntegration } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { updateIntegration } from '../../shared/integrations/manage.ts';
import { integrationChanges } from '../../shared/integrations/schema.ts';

export const handler = endpoint({
  line: 'integrations/update',
  body: () => ({ root: 'integrations', item: integrationChanges, max: 1, sameIdAsPath: true }),
  handle: async ({ request: { query }, id, items: [changes], caller }) => {
    const updated = await updateIntegration(id<IntegrationId>(), changes, caller);
    const { integration } = await showIntegration(browsePorts, updated, readIncluded(query));
    return ok({ integrations: [integration] });
  },
});
