/** `GET /admin/integrations/`: lists the integrations, on request with their webhooks and keys. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type IntegrationId, isId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';
import { maxIntegrations, readIncluded, showIntegrations } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { listIntegrations } from '../../shared/integrations/store.ts';

const scope = 'integrations';

export const handler = endpoint({
  line: 'integrations/list',
  handle: async ({ request: { query } }) => {
    const limit = readLimit(query, maxIntegrations);
    const page = await listIntegrations(limit, readCursor(query, scope, isId<IntegrationId>));
    const integrations = await showIntegrations(browsePorts, page.integrations, readIncluded(query));
    const next = integrations.length < page.integrations.length ? (integrations.at(-1)?.id ?? null) : page.next;
    return ok({ integrations, ...paginated(scope, limit, next) });
  },
});
