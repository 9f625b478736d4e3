/** `GET /admin/webhooks/{id}/deliveries/`: lists a webhook's deliveries, newest first. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { filterParameters } from '../../shared/deliveries/log/filter.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import { logOf } from '../../shared/deliveries/records/store.ts';
import { deliveryResource, presentDelivery } from '../../shared/deliveries/resource.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { hook } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'deliveries/list',
  query: filterParameters,
  pages: { max: 100 },
  answer: { status: 200, root: 'deliveries', item: deliveryResource },
  handle: async ({ query, page, id, caller, reply }) => {
    const { id: webhook } = await findWebhook(id<WebhookId>(), caller);
    const { deliveries, next } = await mergeDeliveries([logOf(webhook)], query, page.limit, page.after<DeliveryId>());
    return reply(deliveries.map(presentDelivery), { next });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'Newest first, stored for 30 days by default. If few deliveries match the filters, a page can be short or empty: continue while there is a `next`.',
  examples: {
    'of-an-event': {
      summary: 'Delivered deliveries of one event',
      path: { id: hook.id },
      query: { status: 'delivered', event: 'post.published' },
      answer: [example.delivered],
      pagination: { limit: 100, next: null },
    },
  },
});
