/**
 * Publishes events: stores each one and sends it to its first subscribers (docs/adr/0017-fan-outs-begin-directly.md). The remaining
 * subscribers go through the events queue. Event ids are idempotent per publisher.
 */
import { log } from '../../aws/log.ts';
import { count } from '../../aws/metrics.ts';
import { send } from '../../aws/queues.ts';
import {
  type AcceptedEvent,
  bodyHash,
  type EventBody,
  isDirectFanOutOpen,
  type LargeEvent,
  partsExpiryOf,
  payloadJson,
  publisherGroup,
} from '../../events/event.ts';
import { storePayload } from '../../events/parts.ts';
import { reportReuse } from '../../events/reuse.ts';
import type { EventResource, NewEvent } from '../../events/schema.ts';
import { readEventBodies } from '../../events/store.ts';
import { timestamp } from '../../foundation/clock.ts';
import type { EventId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import { keptDays } from '../schedule.ts';
import { isInLog, messagesFor, type Rules, repetitionOf, sendFirst, startFanOut } from './first-page.ts';

/** An event to publish. Its payload may be JSON text, which is kept unchanged. */
export type PublishedEvent = Omit<NewEvent, 'payload'> & Pick<AcceptedEvent, 'payload'>;

/**
 * Publishes events and returns them for the response. A repeated id returns the stored event. `now` in epoch ms.
 * @throws ServiceUnavailableError
 */
export const publishEvents = async (
  publisher: string,
  items: readonly PublishedEvent[],
  rules: Rules,
  now: number,
): Promise<EventResource[]> => {
  const events = items.map((item) => acceptedEvent(publisher, item, now));
  // Part of the request's log line, so that an event id finds everything from here to the attempts.
  log.add({ event_ids: events.map(({ id }) => id) });

  const stored = await findStored(events.filter((_, position) => items[position]?.id !== undefined));
  const partsExpiry = partsExpiryOf(keptDays(rules), now);
  const fresh = await Promise.all(
    events.filter(({ id }) => !stored.has(id)).map((event) => withParts(event, partsExpiry)),
  );

  const started = await Promise.all(fresh.map((event) => startFanOut(event, rules, now)));
  for (const one of started) if (one.kind === 'duplicate') stored.set(one.stored.id, one.stored);
  const isSent = await sendFirst(started.flatMap((one) => (one.kind === 'started' ? one.messages : [])));

  const unfinished = started.flatMap((one) => messagesFor(one, isSent));
  const repeated = [...stored.values()].filter((body) => isDirectFanOutOpen(body) && isInLog(body, rules, now));
  const queued = [...unfinished, ...repeated.map((body) => repetitionOf(body, now))];
  await send(
    'events',
    queued.map((message) => ({ ...message, group: publisherGroup({ publisher }) })),
  );

  count('EventsAccepted', started.filter(({ kind }) => kind !== 'duplicate').length);
  return events.map((event) => {
    const { created_at, event: name } = stored.get(event.id) ?? { created_at: event.accepted_at, event: event.event };
    return { id: event.id, event: name, created_at };
  });
};

const acceptedEvent = (publisher: string, { id, event, payload }: PublishedEvent, now: number): AcceptedEvent => ({
  kind: 'event',
  id: id ?? newId<EventId>(),
  publisher,
  event,
  accepted_at: timestamp(now),
  payload,
  owner: newId<EventId>(),
});

/** Finds the events that were already published under these ids. */
const findStored = async (events: readonly AcceptedEvent[]): Promise<Map<string, EventBody>> => {
  const stored = new Map((await readEventBodies(events)).map((body) => [body.id, body]));
  for (const event of events) {
    const body = stored.get(event.id);
    if (body !== undefined) reportReuse(body, event, { payload: payloadJson(event.payload) });
  }
  return stored;
};

/** Stores a large payload in parts and returns the event that names them. Until its message is sent, the parts have no effect. */
const withParts = async (event: AcceptedEvent, partsExpiry: number): Promise<AcceptedEvent | LargeEvent> => {
  const { kind: _, payload, ...accepted } = event;
  const { parts } = await storePayload(bodyHash(event.publisher, event.id), payloadJson(payload), partsExpiry);
  return parts === undefined ? event : { kind: 'large_event', ...accepted, parts };
};
