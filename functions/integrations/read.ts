/** `GET /admin/integrations/{id}/`: shows one integration, with its webhooks and keys where asked for. */

import { findKey } from '../../shared/accounts/find-api-key.ts';
import { type IntegrationId, isId, type WebhookId } from '../../shared/foundation/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readCursor, writeCursor } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';
import { mostWebhooks, readIncluded, showIntegration } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { findIntegration } from '../../shared/integrations/manage.ts';
import { readIntegration } from '../../shared/integrations/store.ts';

export const handler = endpoint({
  line: 'integrations/read',
  keys: findKey,
  handle: async ({ request: { query }, id }) => {
    const included = readIncluded(query);
    const scope = `webhooks of ${id<IntegrationId>()}`;
    const after = readCursor(query, scope, isId<WebhookId>);
    const found = await findIntegration(readIntegration, id<IntegrationId>());
    const { integration, next } = await showIntegration(browsePorts, found, included, after);
    return ok({
      integrations: [integration],
      // Only webhooks can be so many that they come in pages.
      ...(included.webhooks && {
        meta: { pagination: { limit: mostWebhooks, next: next && writeCursor(scope, next) } },
      }),
    });
  },
});
