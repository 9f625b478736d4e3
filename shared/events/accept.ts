/** Accepts events: they are stored durably in the events queue, and an id that a publisher uses again makes no second event. */
import { log } from '../aws/log.ts';
import { count } from '../aws/metrics.ts';
import { send } from '../aws/queues.ts';
import { timestamp } from '../foundation/clock.ts';
import { RequestEntityTooLargeError } from '../foundation/errors.ts';
import { type EventId, newId } from '../foundation/ids.ts';
import { type AcceptedEvent, type EventBody, isSameEvent } from './event.ts';
import type { EventResource, NewEvent } from './schema.ts';
import { readEventBodies } from './store.ts';

/**
 * Accepts the events of a publisher and returns them as the response shows them; a repetition as the first one was. `now` in epoch ms.
 * @throws RequestEntityTooLargeError, ServiceUnavailableError
 */
export const acceptEvents = async (
  publisher: string,
  items: readonly NewEvent[],
  now: number,
): Promise<EventResource[]> => {
  for (const item of items) checkSize(item);
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
  await send(
    'events',
    fresh.map((body) => ({ body, group: publisher })),
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
    if (body === undefined || isSameEvent(body, event)) continue;
    log.warn('An event id was used again for another event, which is not delivered', { event_id: event.id });
    count('EventIdsReused');
  }
  return known;
};

/** Maximum bytes of an event as JSON: it becomes an item of the table, which DynamoDB limits to 400 KB. */
const largestEvent = 380 * 1024;

/** JSON can grow when it is serialized again (`1e20` becomes 21 digits), so that the size of the request says too little. */
const checkSize = ({ event, payload }: NewEvent): void => {
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes > largestEvent)
    throw new RequestEntityTooLargeError(`The payload of ${event} has ${bytes} bytes as plain JSON.`, {
      help: `Send at most ${largestEvent}: numbers such as 1e20 are written out.`,
    });
};
