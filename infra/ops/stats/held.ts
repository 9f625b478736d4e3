/** Finds the deliveries that are held and were not sent again. */
import { day } from '../../../shared/foundation/clock.ts';
import { longestDeliveryDays } from '../../../shared/foundation/delivery-times.ts';
import type { Caller } from '../../command-line/client.ts';
import { collect, RequestError } from '../api/request.ts';
import type { Delivery, Stats } from '../api/resources.ts';
import { listed } from '../deliveries/filter.ts';

/** The largest page of the API. */
const maxPage = 100;
/** Held deliveries that are read, at most. */
const maxRead = 500;

/** Returns the deliveries that were held in the period, by webhook, newest first; undefined if the key sees too many webhooks to list their deliveries at once. */
export const readHeld = async (
  caller: Caller,
  { held, since }: Pick<Stats, 'held' | 'since'>,
): Promise<ReadonlyMap<string, readonly Delivery[]> | undefined> => {
  if (held === 0) return new Map();
  // They were counted when they were held, and are listed by their creation.
  const created = new Date(Date.parse(since) - longestDeliveryDays * day).toISOString();
  const list = listed(caller, { status: 'held', since: created }, maxPage);
  try {
    return Map.groupBy(await collect(list, Math.min(held, maxRead)), ({ webhook_id }) => webhook_id);
  } catch (error) {
    if (error instanceof RequestError && error.status === 422) return undefined;
    throw error;
  }
};

/** Returns how many deliveries of a webhook are held and were not sent again; `hasMore` if there are more than were read. */
export const countHeld = async (caller: Caller, webhook: string): Promise<{ count: number; hasMore: boolean }> => {
  const { length } = await collect(listed(caller, { webhook, status: 'held' }, maxPage), maxRead);
  return { count: length, hasMore: length === maxRead };
};
