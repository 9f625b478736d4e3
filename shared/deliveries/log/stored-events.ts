/** Reads the events behind deliveries in the log, as long as they are stored. */
import type { EventBody } from '../../events/event.ts';
import { withPayloads } from '../../events/parts.ts';
import { eventBodyKey, eventBodyOf, hashOfEventBody } from '../../events/store.ts';
import { second, systemClock } from '../../foundation/clock.ts';
import { getMany } from '../../table/batch.ts';
import type { Item } from '../../table/table-key.ts';

/** Reads events by the hashes of their bodies, in one request; payloads in parts are not read. Omits expired ones. */
export const storedEvents = async (hashes: Iterable<string>): Promise<Map<string, EventBody>> => {
  const items = await getMany<Item>(Array.from(new Set(hashes), eventBodyKey));
  return new Map(
    items.flatMap((item): [string, EventBody][] => {
      const hash = hashOfEventBody(item);
      const body = eventBodyOf(item);
      // DynamoDB deletes expired items up to two days late.
      return hash === undefined || body.expires_at * second <= systemClock() ? [] : [[hash, body]];
    }),
  );
};

/** Returns an event with its payload; undefined if that is no longer stored. */
export const withPayload = async (hash: string, body: EventBody): Promise<EventBody | undefined> =>
  (await withPayloads(new Map([[hash, body]]))).get(hash);

/** Reads one event with its payload; undefined if it is no longer stored. */
export const storedEvent = async (hash: string): Promise<EventBody | undefined> => {
  const body = (await storedEvents([hash])).get(hash);
  return body && withPayload(hash, body);
};
