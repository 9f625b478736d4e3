/** Accepts events: they are stored durably in the events queue, and an id that a publisher uses again makes no second event. */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import { timestamp } from '../foundation/clock.ts';
import { type EventId, newId } from '../foundation/ids.ts';
import {
  type AcceptedEvent,
  bodyHash,
  type EventBody,
  type EventMessage,
  isSameEvent,
  partsExpiryOf,
} from './event.ts';
import { storePayload } from './parts.ts';
import type { EventResource, NewEvent } from './schema.ts';
import { readEventBodies } from './store.ts';

/**
 * Accepts the events of a publisher and returns them as the response shows them; a repetition as the first one was. `now` in epoch ms.
 * @param keepDays for which the events are kept
 * @throws ServiceUnavailableError
 */
export const acceptEvents = async (
  publisher: string,
  items: readonly NewEvent[],
  keepDays: number,
  now: number,
): Promise<EventResource[]> => {
  const events = items.map(
    ({ id, event, payload }): AcceptedEvent => ({
      kind: 'event',
      id: id ?? newId<EventId>(),
      publisher,
      event,
      accepted_at: timestamp(now),
      payload,
      owner: newId<EventId>(),
    }),
  );
  const known = await findKnown(events.filter((_, position) => items[position]?.id !== undefined));
  const fresh = events.filter(({ id }) => !known.has(id));
  const partsExpiry = partsExpiryOf(keepDays, now);
  const messages = await Promise.all(fresh.map((event) => messageOf(event, partsExpiry)));
  await send(
    'events',
    messages.map((body) => ({ body, group: publisher })),
  );
  count('EventsAccepted', fresh.length);
  // Part of the log line of the request, so that the logs can be searched by event id, from here to the attempts.
  log.add({ event_ids: events.map(({ id }) => id) });
  return events.map((event) => {
    const { id, event: name, created_at } = known.get(event.id) ?? { ...event, created_at: event.accepted_at };
    return { id, event: name, created_at };
  });
};

/**
 * Returns the events that are stored under the publisher's ids: a repetition is answered with the first one. An id that is reused
 * for another event or payload is logged and counted, because the second event is not delivered.
 */
const findKnown = async (events: readonly AcceptedEvent[]): Promise<ReadonlyMap<string, EventBody>> => {
  const known = new Map((await readEventBodies(events)).map((body) => [body.id, body]));
  for (const event of events) {
    const body = known.get(event.id);
    if (body === undefined || isSameEvent(body, event.event, { payload: JSON.stringify(event.payload) })) continue;
    log.warn('An event id was used again for another event, which is not delivered', { event_id: event.id });
    count('EventIdsReused');
  }
  return known;
};

/** Returns the message of an event. The parts of a large payload are in the table by then; they are no event until it is sent. */
const messageOf = async (event: AcceptedEvent, partsExpiry: number): Promise<EventMessage> => {
  const { kind: _, payload, ...accepted } = event;
  const { parts } = await storePayload(bodyHash(event.publisher, event.id), JSON.stringify(payload), partsExpiry);
  return parts === undefined ? event : { kind: 'large_event', ...accepted, parts };
};
