/** `PUT /admin/integrations/{id}/`: changes the given fields of an integration. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { readIncluded, showIntegration } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { editIntegration } from '../../shared/integrations/manage.ts';
import { integrationChanges } from '../../shared/integrations/schema.ts';
import { changeIntegration } from '../../shared/integrations/store.ts';

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
