/** `GET /admin/integrations/{id}/`: returns one integration, on request with its webhooks and keys. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { type IntegrationId, isId, type WebhookId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';
import { maxWebhooks, readIncluded, showIntegration } from '../../shared/integrations/browse.ts';
import { browsePorts } from '../../shared/integrations/load.ts';
import { findVisibleIntegration } from '../../shared/integrations/manage.ts';

export const handler = endpoint({
  line: 'integrations/read',
  handle: async ({ request: { query }, id, caller }) => {
    const included = readIncluded(query);
    const scope = `webhooks of ${id<IntegrationId>()}`;
    const after = readCursor(query, scope, isId<WebhookId>);
    const found = await findVisibleIntegration(id<IntegrationId>(), caller);
    const { integration, next } = await showIntegration(browsePorts, found, included, after);
    return ok({
      integrations: [integration],
      // Only webhooks are numerous enough for pages.
      ...(included.webhooks && paginated(scope, maxWebhooks, next)),
    });
  },
});
