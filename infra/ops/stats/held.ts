/** Finds the deliveries that are still held. A replay or redelivery sends a copy, and the held delivery stays as it is. */
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
/** Deliveries of a webhook that are checked, at most: a replay usually sends all or none. */
const maxChecked = 10;

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

/** Returns whether the event of one of these deliveries was not sent again. @param held newest first */
export const isHolding = async (caller: Caller, held: readonly Delivery[]): Promise<boolean> => {
  for (const one of held.toReversed().slice(0, maxChecked)) {
    const ofEvent = { webhook_id: one.webhook_id, event_id: one.event_id, since: one.created_at };
    const [newest] = await collect(listed(caller, ofEvent, 1), 1);
    if (newest?.status === 'held') return true;
  }
  return false;
};

/** Returns how many events of a webhook are held and were not sent again; `hasMore` if its log is longer than what was read. */
export const countHeld = async (caller: Caller, webhook: string): Promise<{ count: number; hasMore: boolean }> => {
  const rows = await collect(listed(caller, { webhook_id: webhook }, maxPage), maxRead);
  // Newest first: the first row of an event is its last outcome.
  const newest = new Map(rows.toReversed().map(({ event_id, status }) => [event_id, status]));
  const count = [...newest.values()].filter((status) => status === 'held').length;
  return { count, hasMore: rows.length === maxRead };
};
