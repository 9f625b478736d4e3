/** Accepts events: each is fanned out at once or stored durably in the events queue, and an id that a publisher uses again makes no second event. */
import { log } from '../../aws/log.ts';
import { count } from '../../aws/metrics.ts';
import { type Message, send } from '../../aws/queues.ts';
import { type AcceptedEvent, bodyHash, type EventBody, type LargeEvent, partsExpiryOf } from '../../events/event.ts';
import { storePayload } from '../../events/parts.ts';
import { reportReuse } from '../../events/reuse.ts';
import type { EventResource, NewEvent } from '../../events/schema.ts';
import { readEventBodies } from '../../events/store.ts';
import { timestamp } from '../../foundation/clock.ts';
import type { EventId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';

/** What is left to do before the events are acknowledged. */
interface Left {
  /** The messages that the events queue must accept. */
  readonly queued: readonly Message[];
  /** The stored events whose ids new events have, because another request was faster. */
  readonly taken: ReadonlyMap<AcceptedEvent | LargeEvent, EventBody>;
}

/** Fans out new events at once, where that is possible. Never rejects. `known` are stored events that are repeated; `now` in epoch ms. */
export type FanOut = (
  fresh: readonly (AcceptedEvent | LargeEvent)[],
  known: Iterable<EventBody>,
  now: number,
) => Promise<Left>;

interface Rules {
  /** Days for which the events are kept. */
  readonly keepDays: number;
  readonly fanOut: FanOut;
}

/**
 * Accepts the events of a publisher and returns them as the response shows them; a repetition as the first one was. `now` in epoch ms.
 * @throws ServiceUnavailableError
 */
export const acceptEvents = async (
  publisher: string,
  items: readonly NewEvent[],
  { keepDays, fanOut }: Rules,
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
  const partsExpiry = partsExpiryOf(keepDays, now);
  const fresh = await Promise.all(
    events.filter(({ id }) => !known.has(id)).map((event) => withParts(event, partsExpiry)),
  );
  const { queued, taken } = await fanOut(fresh, known.values(), now);
  await send(
    'events',
    queued.map((message) => ({ ...message, group: publisher })),
  );
  count('EventsAccepted', fresh.length - taken.size);
  // Part of the log line of the request, so that the logs can be searched by event id, from here to the attempts.
  log.add({ event_ids: events.map(({ id }) => id) });
  for (const body of taken.values()) known.set(body.id, body);
  return events.map((event) => {
    const { id, event: name, created_at } = known.get(event.id) ?? { ...event, created_at: event.accepted_at };
    return { id, event: name, created_at };
  });
};

/** Returns the events that are stored under the publisher's ids: a repetition is answered with the first one. */
const findKnown = async (events: readonly AcceptedEvent[]): Promise<Map<string, EventBody>> => {
  const known = new Map((await readEventBodies(events)).map((body) => [body.id, body]));
  for (const event of events) {
    const body = known.get(event.id);
    if (body !== undefined) reportReuse(body, event, { payload: JSON.stringify(event.payload) });
  }
  return known;
};

/** Returns an event as it is sent. The parts of a large payload are in the table by then; they are no event until it is sent. */
const withParts = async (event: AcceptedEvent, partsExpiry: number): Promise<AcceptedEvent | LargeEvent> => {
  const { kind: _, payload, ...accepted } = event;
  const { parts } = await storePayload(bodyHash(event.publisher, event.id), JSON.stringify(payload), partsExpiry);
  return parts === undefined ? event : { kind: 'large_event', ...accepted, parts };
};
