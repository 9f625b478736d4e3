/** Tells in a sentence what has happened, from the stored payloads, so that it ends and is erased with them. */
import { type EventBody, hasId } from '../../events/event.ts';
import { headlineOf } from '../../formats/headline.ts';
import { type Fields, subjectOf, textOf } from '../../formats/rendering.ts';
import { shorten } from '../../formats/shorten.ts';
import { currentApiVersion } from '../../foundation/api-version.ts';
import type { Caller } from '../../foundation/caller.ts';
import { isStaffEvent } from '../../foundation/event-names.ts';
import { type DeliveryId, timeOfId } from '../../foundation/ids.ts';
import { semaphore } from '../../foundation/semaphore.ts';
import { loadedEvent } from '../attempt/load.ts';
import type { Delivery } from '../delivery.ts';
import type { ReadLog } from '../records/log-page.ts';
import type { DeliveryFilter } from './filter.ts';
import { type MergedPage, mergeDeliveries } from './merge.ts';
import { storedEvents, withPayload } from './stored-events.ts';

const maxTitle = 200;

export interface Told {
  readonly title: string;
  /** Of the post, page, tag or member. */
  readonly resourceId: string | undefined;
}

/** Tells what an event with this body is about. */
export const tellOf = (
  { event, id, created_at }: Pick<EventBody, 'event' | 'id' | 'created_at'>,
  body: Fields,
): Told => {
  const rendering = { event, event_id: id, event_time: created_at, body };
  return {
    title: shorten(headlineOf(rendering).sentence, maxTitle),
    resourceId: textOf(subjectOf(rendering), 'id'),
  };
};

/** Payloads that are read at the same time: one can have several MiB. */
const concurrency = 4;

/** Tells by the hashes of their bodies what these deliveries are about. Those without a stored payload are missing. */
const tell = async (deliveries: readonly Delivery[]): Promise<ReadonlyMap<string, Told>> => {
  const told = new Map<string, Told>();
  const limited = semaphore(concurrency);
  const stored = await storedEvents(deliveries.map(({ body_hash }) => body_hash));
  const tellOne = async (hash: string, event: EventBody): Promise<void> => {
    const whole = await withPayload(hash, event);
    if (whole === undefined) return;
    told.set(hash, tellOf(whole, loadedEvent(whole).build(currentApiVersion).parsed()));
  };
  await Promise.all(Array.from(stored, ([hash, event]) => limited(() => tellOne(hash, event))));
  return told;
};

/** Staff events have names, which only those may read who receive them. */
export const mayBeTold = (caller: Caller, event: string): boolean =>
  caller.kind !== 'integration' || !isStaffEvent(event);

/** A delivery with the sentence about its event; null if nobody can, or may, tell it. */
type Titled = Delivery & { readonly title: string | null };

const titled = (delivery: Delivery, told: ReadonlyMap<string, Told>, caller: Caller): Titled => ({
  ...delivery,
  title: mayBeTold(caller, delivery.event) ? (told.get(delivery.body_hash)?.title ?? null) : null,
});

/** Adds what has happened to deliveries. */
export const withTitles = async (deliveries: readonly Delivery[], caller: Caller): Promise<Titled[]> => {
  const told = await tell(deliveries);
  return deliveries.map((delivery) => titled(delivery, told, caller));
};

/** Deliveries that a request looks through for a text: so many, and those of so many events to all webhooks. */
const [searchedDeliveries, searchedEvents] = [500, 4];
const pageSize = 100;

/** Lists deliveries by a text: a part of their sentence, the id of the resource, or the id of the event. */
export const searchDeliveries = async (
  logs: readonly ReadLog[],
  filter: DeliveryFilter,
  text: string,
  { limit, after, caller }: { readonly limit: number; readonly after: DeliveryId | undefined; readonly caller: Caller },
): Promise<Omit<MergedPage, 'deliveries'> & { readonly deliveries: Titled[] }> => {
  const wanted = text.trim().toLowerCase();
  const searched = Math.max(searchedDeliveries, searchedEvents * logs.length);
  const { deliveries, next } = await mergeDeliveries(logs, filter, searched, after);
  const found: Titled[] = [];
  for (let start = 0; start < deliveries.length; start += pageSize) {
    const page = deliveries.slice(start, start + pageSize);
    const told = await tell(page);
    for (const delivery of page) {
      const { body_hash, event, event_id, id } = delivery;
      const about = mayBeTold(caller, event) ? told.get(body_hash) : undefined;
      const isFound =
        about?.title.toLowerCase().includes(wanted) ||
        about?.resourceId?.toLowerCase() === wanted ||
        hasId(event_id, body_hash, text.trim());
      if (isFound) found.push(titled(delivery, told, caller));
      if (found.length === limit) return { deliveries: found, next: id };
    }
  }
  return { deliveries: found, next, ...(next && { searchedTo: timeOfId(next) }) };
};
