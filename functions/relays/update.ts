/** `PUT /admin/relays/{id}/`: records what a comparison of a site's webhooks with those here has found. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { IntegrationId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';
import { comparison, recordComparison } from '../../shared/integrations/relay/comparison.ts';

export const handler = endpoint({
  line: 'relays/update',
  body: () => ({ root: 'relays', item: comparison, max: 1, sameIdAsPath: true }),
  handle: async ({ id, items: [found], now }) =>
    ok({ relays: [await recordComparison(id<IntegrationId>(), found, now)] }),
});
