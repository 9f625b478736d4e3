/** `PUT /admin/integrations/{id}/`: changes the given fields of an integration. */
import { systemClock } from '../../shared/clock.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import type { IntegrationId } from '../../shared/ids.ts';
import { readIncluded, showIntegration } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { editIntegration } from '../../shared/integrations/manage.ts';
import { integrationChanges } from '../../shared/integrations/schema.ts';
import { changeIntegration } from '../../shared/integrations/store.ts';
import { findKey } from '../../shared/keys/find.ts';

const ports = { change: changeIntegration, clock: systemClock };

export const handler = endpoint({
  line: 'integrations/update',
  keys: findKey,
  body: () => ({ root: 'integrations', item: integrationChanges, max: 1, sameIdAsPath: true }),
  handle: async ({ request: { query }, id, items: [changes] }) => {
    const changed = await editIntegration(ports, id<IntegrationId>(), changes);
    const { integration } = await showIntegration(browsePorts, changed, readIncluded(query));
    return ok({ integrations: [integration] });
  },
});
