/** `GET /admin/webhooks/{id}/deliveries/`: lists a webhook's deliveries, newest first. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { filterParameters } from '../../shared/deliveries/log/filter.ts';
import { countLogPage } from '../../shared/deliveries/log/limit.ts';
import { logsOf } from '../../shared/deliveries/log/logs.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import { readSummary, summaryResource } from '../../shared/deliveries/log/summary.ts';
import { withHolders } from '../../shared/deliveries/records/windows.ts';
import { deliveryResource, presentDelivery } from '../../shared/deliveries/resource.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { includes } from '../../shared/http/query.ts';
import { hook } from '../../shared/webhooks/example.ts';
import { findWebhook } from '../../shared/webhooks/find.ts';

export const handler = endpoint({
  line: 'deliveries/list',
  query: {
    ...filterParameters,
    include: includes(['summary'], 'With `summary`, `meta.summary` counts the newest deliveries.', 'summary'),
  },
  pages: { max: 100 },
  answer: { status: 200, root: 'deliveries', item: deliveryResource, meta: { summary: summaryResource } },
  handle: async ({ query: { include, ...query }, page, id, caller, now, reply }) => {
    const webhook = await findWebhook(id<WebhookId>(), caller);
    await countLogPage(caller, 1, now);
    const logs = logsOf([webhook], query);
    const [{ deliveries, next, searchedTo }, summary] = await Promise.all([
      mergeDeliveries(logs, query, page.limit, page.after<DeliveryId>()),
      include.includes('summary') ? readSummary(webhook.id) : undefined,
    ]);
    return reply((await withHolders(deliveries)).map(presentDelivery), { next, searchedTo, meta: { summary } });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'List the deliveries of a webhook',
  description:
    'Newest first, stored for 30 days by default. If few of many deliveries match the filters, a page can be short: ' +
    '`meta.pagination.searched_to` then states how far the search went, and `next` continues it.',
  examples: {
    'of-an-event': {
      summary: 'Delivered deliveries of one event',
      path: { id: hook.id },
      query: { status: 'delivered', event: 'post.published' },
      answer: [example.delivered],
      pagination: { limit: 100, next: null },
    },
    'with-summary': {
      summary: 'The newest delivery, and how the webhook does',
      path: { id: hook.id },
      query: { limit: '1', include: 'summary' },
      answer: [example.delivered],
      pagination: { limit: 1, next: null },
      meta: { summary: { deliveries: 1, delivered: 1, undelivered: 0, p50_ms: 93, p95_ms: 93 } },
    },
  },
});
