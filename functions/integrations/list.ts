/** `GET /admin/integrations/`: lists the integrations, with their webhooks and keys where asked for. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { type IntegrationId, isId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readCursor, readLimit, writeCursor } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';
import { mostIntegrations, readIncluded, showIntegrations } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { listIntegrations } from '../../shared/integrations/store.ts';

const scope = 'integrations';

export const handler = endpoint({
  line: 'integrations/list',
  keys: findKey,
  handle: async ({ request: { query } }) => {
    const limit = readLimit(query, mostIntegrations);
    const page = await listIntegrations(limit, readCursor(query, scope, isId<IntegrationId>));
    const shown = await showIntegrations(browsePorts, page.integrations, readIncluded(query));
    const last = shown.length < page.integrations.length ? shown.at(-1)?.id : page.next;
    return ok({
      integrations: shown,
      meta: { pagination: { limit, next: last ? writeCursor(scope, last) : null } },
    });
  },
});
