/** Lists a webhook's deliveries, newest first, filtered. */
import { type Clock, second } from '../foundation/clock.ts';
import type { DeliveryId, WebhookId } from '../foundation/ids.ts';
import type { Delivery } from './delivery.ts';
import { type DeliveryFilter, fits } from './filter.ts';

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Whether there are more behind the last of them. */
  readonly more: boolean;
}

/** A page of a webhook's deliveries in the order of their ids; times in epoch ms, `since` included, `until` not. */
export type PageOfDeliveries = (
  webhook: WebhookId,
  options: {
    readonly since: number | undefined;
    readonly until: number | undefined;
    readonly newestFirst: boolean;
    readonly limit: number;
    readonly after: DeliveryId | undefined;
  },
) => Promise<DeliveryPage>;

interface Ports {
  readonly pageOfDeliveries: PageOfDeliveries;
  readonly clock: Clock;
}

/** So many are read at a time, and so often, for one answer: where few of many fit, the list goes on in another request. */
const pageSize = 100;
const mostPages = 10;

/**
 * At most `limit` deliveries from behind `after`, and where to go on: null at the end of the list. There may be fewer than
 * `limit`, even none, before the end.
 */
export const listDeliveries = async (
  { pageOfDeliveries, clock }: Ports,
  webhook: WebhookId,
  filter: DeliveryFilter,
  limit: number,
  after: DeliveryId | undefined,
): Promise<{ deliveries: Delivery[]; next: DeliveryId | null }> => {
  const found: Delivery[] = [];
  let place = after;
  for (let page = 0; page < mostPages; page++) {
    const { deliveries, more } = await pageOfDeliveries(webhook, {
      since: filter.since,
      until: filter.until,
      newestFirst: true,
      limit: pageSize,
      after: place,
    });
    for (const delivery of deliveries) {
      if (isKept(delivery, clock()) && fits(delivery, filter)) {
        if (found.length === limit) return { deliveries: found, next: found.at(-1)?.id ?? null };
        found.push(delivery);
      }
      place = delivery.id;
    }
    if (!more) return { deliveries: found, next: null };
  }
  return { deliveries: found, next: place ?? null };
};

/** DynamoDB deletes what has expired up to two days late. */
export const isKept = ({ expires_at }: Delivery, now: number): boolean => expires_at * second > now;
