/** `PUT /admin/integrations/{id}/`: updates the given fields of an integration. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { included, showIntegration } from '../../shared/integrations/browse.ts';
import * as example from '../../shared/integrations/example.ts';
import { integrationResource } from '../../shared/integrations/integration.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { updateIntegration } from '../../shared/integrations/manage.ts';
import { integrationChanges } from '../../shared/integrations/schema.ts';

export const handler = endpoint({
  line: 'integrations/update',
  body: { root: 'integrations', item: integrationChanges, max: 1, sameIdAsPath: true },
  answer: { status: 200, root: 'integrations', item: integrationResource },
  query: { include: included },
  handle: async ({ query, id, items: [changes], caller, reply }) => {
    const updated = await updateIntegration(id<IntegrationId>(), changes, caller);
    const { integration } = await showIntegration(browsePorts, updated, query.include);
    return reply([integration]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Integrations',
  summary: 'Update an integration',
  description: 'Omitted fields keep their values.',
  examples: {
    rename: {
      summary: 'A new name, and the permission to publish events',
      path: { id: example.path.id },
      body: [{ name: example.renamed.name, can_publish: true }],
      answer: [example.renamed],
    },
  },
});
