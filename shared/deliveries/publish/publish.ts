/** Publishes events: stores each and sends its first page at once (ADR 17); the events queue gets what is left. */
import { log } from '../../aws/log.ts';
import { count } from '../../aws/metrics.ts';
import { type Message, send } from '../../aws/queues.ts';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  type EventBody,
  endsEarly,
  partsExpiryOf,
  publisherGroup,
  queuedPartsExpiryOf,
  type StoredPayload,
} from '../../events/event.ts';
import { isSmall, storePayload } from '../../events/parts.ts';
import { reportReuse } from '../../events/reuse.ts';
import type { EventResource, NewEvent } from '../../events/schema.ts';
import { keepEventBody, readEventBodies } from '../../events/store.ts';
import { readTraceparent, traceIdOf } from '../../events/trace.ts';
import { second, timestamp } from '../../foundation/clock.ts';
import type { EventId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import { countOutcome, writeCounts } from '../../stats/count.ts';
import { firstPlace, isInLog, type Page, type PageRules, pageAt, pageMessage, sendPages } from '../fan-out/page.ts';
import { keptDays } from '../schedule.ts';

/** No request takes longer than this: by then its function has sent the first page or was killed. */
export const longestRequestMs = 10 * second;

/** Publishes events and returns the stored ones. `sentTrace`: its `traceparent`. @throws ServiceUnavailableError */
export const publishEvents = async (
  publisher: string,
  items: readonly NewEvent[],
  rules: PageRules,
  now: number,
  sentTrace?: string,
): Promise<EventResource[]> => {
  const traceparent = readTraceparent(sentTrace);
  const events = items.map((item) => acceptedEvent(publisher, item, now, traceparent));
  // Part of the request's log line, so that an event id finds everything from here to the attempts.
  log.add({ event_ids: events.map(({ id }) => id), trace_id: traceIdOf(traceparent) });

  const known = await findStored(events.filter((_, position) => items[position]?.id !== undefined));
  const keepDays = keptDays(rules);
  const fresh = await Promise.all(
    events
      .filter(({ id }) => !known.has(id))
      .map((event) => withParts(event, partsExpiryOf(publisher, keepDays, now), endsEarly(publisher, keepDays))),
  );
  const begun = await Promise.all(fresh.map((event) => begin(event, rules, now)));
  for (const one of begun) if (one.kind === 'known') known.set(one.body.id, one.body);

  const pages = begun.flatMap((one) => (one.kind === 'stored' ? one.page : []));
  const [isSent] = await Promise.all([trySending(pages), writeCounts()]);
  const repeated = [...known.values()].filter((body) => body.next_page === undefined && isInLog(body, rules, now));
  await send('events', [
    ...begun.flatMap((one) => restOf(one, isSent)),
    ...repeated.map((body) => repetitionOf(body, now)),
  ]);

  count('EventsAccepted', begun.filter(({ kind }) => kind !== 'known').length);
  return events.map((event) => {
    const { created_at, event: name } = known.get(event.id) ?? { created_at: event.accepted_at, event: event.event };
    return { id: event.id, event: name, created_at };
  });
};

const acceptedEvent = (
  publisher: string,
  { id, event, payload }: NewEvent,
  now: number,
  traceparent: string | undefined,
): AcceptedEvent => ({
  kind: 'event',
  id: id ?? newId<EventId>(),
  publisher,
  event,
  accepted_at: timestamp(now),
  payload,
  owner: newId<EventId>(),
  ...(traceparent !== undefined && { traceparent }),
});

const findStored = async (events: readonly AcceptedEvent[]): Promise<Map<string, EventBody>> => {
  const stored = new Map((await readEventBodies(events)).map((body) => [body.id, body]));
  for (const event of events) {
    const body = stored.get(event.id);
    if (body !== undefined) reportReuse(body, event, storedForm(event));
  }
  return stored;
};

/** An event whose payload is stored in parts, if that is needed. */
interface Prepared {
  readonly event: AcceptedEvent;
  readonly whole: AcceptedEvent;
  /** The parts could not be stored. The payload fits into a message, so the event can go to the queue. */
  readonly failure?: Error;
}

/** Stores a large payload, or one that `endsEarly`, in parts, which have no effect until the event is stored. */
const withParts = async (whole: AcceptedEvent, partsExpiry: number, isEarly: boolean): Promise<Prepared> => {
  const json = JSON.stringify(whole.payload);
  try {
    const { parts } = await storePayload(bodyHash(whole.publisher, whole.id), json, partsExpiry, isEarly);
    return { whole, event: parts === undefined ? whole : { ...whole, payload: {}, parts } };
  } catch (failure) {
    if (!isSmall(json)) throw failure;
    return { whole, event: whole, failure: new Error('The parts could not be stored.', { cause: failure }) };
  }
};

/** Returns an event for the queue, where it may outlast its parts. @throws ServiceUnavailableError */
const forQueue = async ({ whole, event }: Prepared, keepDays: number, now: number): Promise<AcceptedEvent> => {
  if (!endsEarly(whole.publisher, keepDays)) return event;
  return (await withParts(whole, queuedPartsExpiryOf(keepDays, now), false)).event;
};

const storedForm = ({ payload, parts }: AcceptedEvent): StoredPayload =>
  parts === undefined ? { payload: JSON.stringify(payload) } : { payload: '', parts };

type Begun =
  | { readonly kind: 'stored'; readonly body: EventBody; readonly page: Page }
  /** It could not be stored, so the events queue gets it as a whole. */
  | { readonly kind: 'unstored'; readonly event: AcceptedEvent }
  /** Another request has stored an event with its id. */
  | { readonly kind: 'known'; readonly body: EventBody };

/** Stores an event while its first page is read. @throws ServiceUnavailableError if not even its parts are stored */
const begin = async (prepared: Prepared, rules: PageRules, now: number): Promise<Begun> => {
  const { event, failure } = prepared;
  try {
    if (failure !== undefined) throw failure;
    const hash = bodyHash(event.publisher, event.id);
    const stored = storedForm(event);
    const wanted = bodyOf(event, stored, keptDays(rules), now);
    const [body, page] = await Promise.all([
      keepEventBody(hash, wanted),
      pageAt(hash, wanted, firstPlace(wanted), rules),
    ]);
    if (body.owner !== wanted.owner) {
      reportReuse(body, event, stored);
      return { kind: 'known', body };
    }
    countOutcome('accepted', 1, now);
    return { kind: 'stored', body, page };
  } catch (error) {
    log.warn('An event goes to the queue: it could not be stored', { event_id: event.id, error });
    return { kind: 'unstored', event: await forQueue(prepared, keptDays(rules), now) };
  }
};

/** Sends first pages. Returns whether all were accepted; never rejects. */
const trySending = async (pages: readonly Page[]): Promise<boolean> => {
  try {
    const deliveries = await sendPages(pages);
    if (deliveries > 0) log.add({ deliveries });
    return true;
  } catch (error) {
    log.warn('Events go to the queue: their deliveries could not be sent', { error });
    return false;
  }
};

/** Returns the message that completes an event's fan-out, if one is needed. */
const restOf = (begun: Begun, isSent: boolean): Message[] => {
  if (begun.kind === 'known') return [];
  if (begun.kind === 'unstored') return [{ body: begun.event, group: publisherGroup(begun.event) }];
  const { body, page } = begun;
  const next = isSent || page.messages.length === 0 ? page.next : firstPlace(body);
  return next === undefined ? [] : [pageMessage(bodyHash(body.publisher, body.id), body, next)];
};

/** Returns a message that repeats the first page after the longest request, which may have been killed before. */
const repetitionOf = (body: EventBody, now: number): Message => ({
  ...pageMessage(bodyHash(body.publisher, body.id), body, firstPlace(body)),
  delaySeconds: Math.max(0, Date.parse(body.created_at) + longestRequestMs - now) / second,
});
