/** `GET /admin/webhooks/{id}/deliveries/`: lists a webhook's deliveries, newest first. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import { readFilter } from '../../shared/deliveries/log/filter.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import { logsOf } from '../../shared/deliveries/records/store.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { type DeliveryId, isId, type WebhookId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { ok } from '../../shared/http/response.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

const maxDeliveries = 100;

export const handler = endpoint({
  line: 'deliveries/list',
  handle: async ({ request: { query }, id, caller }) => {
    const filter = readFilter(query);
    const limit = readLimit(query, maxDeliveries);
    const { status = '', event = '', since = '', until = '' } = filter;
    const scope = `deliveries ${id()} ${status} ${event} ${since} ${until}`;
    const after = readCursor(query, scope, isId<DeliveryId>);
    await findWebhook(id<WebhookId>(), caller);
    const { deliveries, next } = await mergeDeliveries(logsOf([id<WebhookId>()]), filter, limit, after);
    return ok({
      deliveries: deliveries.map(presentDelivery),
      ...paginated(scope, limit, next),
    });
  },
});
