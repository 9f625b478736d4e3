/** `GET /admin/deliveries/`: lists the deliveries of all webhooks that the caller can see, newest first. */

import { endpoint } from '../../shared/accounts/endpoint.ts';
import type { DeliveryFilter } from '../../shared/deliveries/log/filter.ts';
import { readFilter } from '../../shared/deliveries/log/filter.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import { waitingLog } from '../../shared/deliveries/log/waiting.ts';
import { logsOf } from '../../shared/deliveries/records/store.ts';
import { presentDelivery } from '../../shared/deliveries/resource.ts';
import { integrationPublisher, publisherOf } from '../../shared/events/publisher.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { type DeliveryId, isId, timeOfId, type WebhookId } from '../../shared/foundation/ids.ts';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';
import { invalidParameter } from '../../shared/http/parameters.ts';
import { ok } from '../../shared/http/response.ts';
import { listIntegrationIds } from '../../shared/integrations/store.ts';
import { webhooksOf } from '../../shared/integrations/visible-webhooks.ts';

const maxDeliveries = 100;
const maxIntegrations = 1000;

type Query = Readonly<Record<string, string | undefined>>;

export const handler = endpoint({
  line: 'deliveries/list-all',
  handle: async ({ request: { query }, caller, now }) => {
    const { event_id } = query;
    const filter: DeliveryFilter = {
      ...readFilter(query),
      ...(event_id !== undefined && { event_id }),
      ...onlyDelivery(readId<DeliveryId>(query, 'delivery_id')),
    };
    const webhook = readId<WebhookId>(query, 'webhook_id');
    const limit = readLimit(query, maxDeliveries);
    const scope = `deliveries ${JSON.stringify({ ...filter, webhook })}`;
    const after = readCursor(query, scope, isId<DeliveryId>);
    const webhooks = await webhooksOf(caller, webhook);
    const waiting =
      event_id === undefined
        ? []
        : [await waitingLog(event_id, await publishersOf(caller), webhooks, settings().deliveries, now)];
    const { deliveries, next } = await mergeDeliveries([...logsOf(webhooks), ...waiting], filter, limit, after);
    return ok({ deliveries: deliveries.map(presentDelivery), ...paginated(scope, limit, next) });
  },
});

/** Returns the publishers whose events the caller may look up by id: itself and, for staff, the integrations. */
const publishersOf = async (caller: Caller): Promise<readonly string[]> => {
  const own = publisherOf(caller);
  if (caller.kind === 'integration') return [own];
  return [own, ...(await listIntegrationIds(maxIntegrations)).map(integrationPublisher)];
};

const readId = <T extends DeliveryId | WebhookId>(query: Query, name: string): (T & string) | undefined => {
  const id = query[name];
  if (id === undefined || isId<T>(id)) return id;
  throw invalidParameter(name, id, 'format', 'must have 24 lower-case hex characters');
};

/** The last millisecond whose successor has 12 hex characters, as in every id. */
const lastTime = 2 ** 48 - 2;

/** An id begins with its time, so that only one millisecond of each log is read. */
const onlyDelivery = (id: DeliveryId | undefined): DeliveryFilter => {
  if (id === undefined) return {};
  const since = Math.min(timeOfId(id), lastTime);
  return { id, since, until: since + 1 };
};
