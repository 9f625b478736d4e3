/** `GET /admin/deliveries/`: lists the deliveries of all webhooks that the caller can see, newest first. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import type { DeliveryFilter } from '../../shared/deliveries/log/filter.ts';
import { filterParameters } from '../../shared/deliveries/log/filter.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import { waitingLog } from '../../shared/deliveries/log/waiting.ts';
import { logOf } from '../../shared/deliveries/records/store.ts';
import { deliveryResource, presentDelivery } from '../../shared/deliveries/resource.ts';
import { integrationPublisher, publisherOf } from '../../shared/events/publisher.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { type DeliveryId, timeOfId, type WebhookId } from '../../shared/foundation/ids.ts';
import { type Documentation, forbidden, notFound } from '../../shared/http/documentation.ts';
import { idParameter, textParameter } from '../../shared/http/query.ts';
import { listIntegrationIds } from '../../shared/integrations/store.ts';
import { webhooksOf } from '../../shared/integrations/visible-webhooks.ts';

const maxIntegrations = 1000;

export const handler = endpoint({
  line: 'deliveries/list-all',
  query: {
    ...filterParameters,
    webhook_id: idParameter<WebhookId>(
      'Only deliveries of this webhook.',
      'it is not an id; or it is missing, and the caller can see more than 1,000 webhooks',
    ),
    event_id: textParameter(
      'Only deliveries of the event with this id, including those that wait for their first attempt.',
    ),
    delivery_id: idParameter<DeliveryId>('Only the delivery with this id, if its webhook is not known.'),
  },
  pages: { max: 100 },
  answer: { status: 200, root: 'deliveries', item: deliveryResource },
  handle: async ({ query: { webhook_id, delivery_id, ...filters }, page, caller, now, reply }) => {
    const { event_id } = filters;
    const webhooks = await webhooksOf(caller, webhook_id);
    const waiting =
      event_id === undefined
        ? []
        : [await waitingLog(event_id, await publishersOf(caller), webhooks, settings().deliveries, now)];
    const { deliveries, next } = await mergeDeliveries(
      [...webhooks.map(logOf), ...waiting],
      { ...filters, ...onlyDelivery(delivery_id) },
      page.limit,
      page.after<DeliveryId>(),
    );
    return reply(deliveries.map(presentDelivery), { next });
  },
});

/** Returns the publishers whose events the caller may look up by id: itself and, for staff, the integrations. */
const publishersOf = async (caller: Caller): Promise<readonly string[]> => {
  const own = publisherOf(caller);
  if (caller.kind === 'integration') return [own];
  return [own, ...(await listIntegrationIds(maxIntegrations)).map(integrationPublisher)];
};

/** The last millisecond whose successor has 12 hex characters, as in every id. */
const lastTime = 2 ** 48 - 2;

/** An id begins with its time, so that only one millisecond of each log is read. */
const onlyDelivery = (id: DeliveryId | undefined): DeliveryFilter => {
  if (id === undefined) return {};
  const since = Math.min(timeOfId(id), lastTime);
  return { id, since, until: since + 1 };
};

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'List the deliveries of all webhooks',
  description:
    'Newest first, over all webhooks that the caller can see: staff those of all integrations, an integration its own; at most 1,000 webhooks. If few deliveries match the filters, a page can be short or empty: continue while there is a `next`.',
  errors: [notFound('no webhook has the id `webhook_id`'), forbidden('the webhook belongs to another integration')],
  examples: {
    'of-one-event': {
      summary: 'The deliveries of one event to all webhooks',
      query: { event_id: 'post-6748-published' },
      answer: [example.delivered],
      pagination: { limit: 100, next: null },
    },
  },
});
