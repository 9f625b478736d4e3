/** Finds a webhook's deliveries: one by its id, or a list, newest first, filtered. */
import { second, systemClock } from '../foundation/clock.ts';
import { NotFoundError } from '../foundation/errors.ts';
import type { DeliveryId, WebhookId } from '../foundation/ids.ts';
import type { Delivery } from './delivery.ts';
import { type DeliveryFilter, matches } from './filter.ts';
import { pageOfDeliveries, readDelivery } from './store.ts';

/** Page size and maximum number of queries of one response: if few deliveries match, the list continues in another request. */
const pageSize = 100;
const maxPages = 10;

/** Finds a delivery of a webhook. @throws NotFoundError */
export const findDelivery = async (webhook: WebhookId, id: DeliveryId): Promise<Delivery> => {
  const delivery = await readDelivery(webhook, id);
  if (delivery === undefined || !isKept(delivery))
    throw new NotFoundError(`This webhook has no delivery with the id \`${id}\`.`, {
      help: 'GET /admin/webhooks/{id}/deliveries/ lists them; the log is stored for a limited time.',
    });
  return delivery;
};

/**
 * Lists at most `limit` deliveries after `after`, and returns where to continue: null at the end of the list. There may be fewer than
 * `limit`, even none, before the end.
 */
export const listDeliveries = async (
  webhook: WebhookId,
  filter: DeliveryFilter,
  limit: number,
  after: DeliveryId | undefined,
): Promise<{ deliveries: Delivery[]; next: DeliveryId | null }> => {
  const found: Delivery[] = [];
  let place = after;
  for (let page = 0; page < maxPages; page++) {
    const { deliveries, more } = await pageOfDeliveries(webhook, {
      since: filter.since,
      until: filter.until,
      newestFirst: true,
      limit: pageSize,
      after: place,
    });
    for (const delivery of deliveries) {
      if (isKept(delivery) && matches(delivery, filter)) {
        if (found.length === limit) return { deliveries: found, next: found.at(-1)?.id ?? null };
        found.push(delivery);
      }
      place = delivery.id;
    }
    if (!more) return { deliveries: found, next: null };
  }
  return { deliveries: found, next: place ?? null };
};

/** Returns whether a delivery has not expired: DynamoDB deletes expired items up to two days late. */
export const isKept = ({ expires_at }: Delivery): boolean => expires_at * second > systemClock();
