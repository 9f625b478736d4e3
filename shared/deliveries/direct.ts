/**
 * Direct fan-out: the function that accepts an event with few subscribers stores it and sends its deliveries itself, without the events
 * queue (docs/adr/0017-small-fan-outs-are-direct.md). Where that fails, the event goes to the queue.
 */
import { log } from '../aws/log.ts';
import { acceptEvents, type FanOut } from '../events/accept.ts';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  directRun,
  type EventBody,
  type LargeEvent,
  mayBeUnsent,
} from '../events/event.ts';
import { reportReuse } from '../events/reuse.ts';
import type { EventResource, NewEvent } from '../events/schema.ts';
import { keepEventBody } from '../events/store.ts';
import { createCache } from '../foundation/cache.ts';
import { day, minute, second } from '../foundation/clock.ts';
import type { Settings } from '../foundation/settings.ts';
import { writeCounts } from '../stats/count.ts';
import { listSubscribers, type Subscriber } from '../webhooks/subscriptions.ts';
import { deliveriesIn, firstMessages } from './first-messages.ts';
import { type LaneMessage, sendToLanes } from './lanes.ts';
import { keptDays } from './schedule.ts';

/** Their deliveries fit one request to a lane. */
const maxSubscribers = 10;
/** For this time, an environment relies on having seen few or many subscribers of an event. */
const seenForMs = minute;
/** No request takes longer: after this time, its function has sent the deliveries or was killed. */
const longestRequestMs = 10 * second;

type Rules = Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>;

/** Returns the function with which an endpoint accepts the events of a publisher (`acceptEvents`). */
export const eventAcceptor = (rules: Rules) => {
  const accepting = { keepDays: keptDays(rules), fanOut: directFanOut(rules) };
  return (publisher: string, items: readonly NewEvent[], now: number): Promise<EventResource[]> =>
    acceptEvents(publisher, items, accepting, now);
};

const directFanOut =
  (rules: Rules): FanOut =>
  async (fresh, known, now) => {
    const prepared = await Promise.all(fresh.map((event) => prepare(event, rules, now)));
    const isSent = await trySending(prepared.flatMap(({ messages = [] }) => messages));
    const taken = new Map(
      prepared.flatMap(({ event, found }) => (found === undefined ? [] : [[event, found] as const])),
    );
    const unsent = prepared.filter(
      ({ messages, found }) => found === undefined && (messages === undefined || (!isSent && messages.length > 0)),
    );
    const repeated = [...known, ...taken.values()].filter((body) => mayBeUnsent(body) && isInLog(body, rules, now));
    return {
      queued: [...unsent.map(({ event }) => ({ body: event })), ...repeated.map((body) => restOf(body, now))],
      taken,
    };
  };

interface Prepared {
  readonly event: AcceptedEvent | LargeEvent;
  /** The messages of the deliveries of an event that is stored now; missing for one that goes to the queue. */
  readonly messages?: readonly LaneMessage[];
  /** The stored event that has its id. */
  readonly found?: EventBody;
}

/** Whether each event had few subscribers when they were last read, at a time in epoch ms. */
const seen = createCache<string, { readonly isFew: boolean; readonly at: number }>({ max: 1000 });

/** Returns whether an event had few subscribers within the last minute; undefined if that is unknown. */
const wereFew = (event: string, now: number): boolean | undefined => {
  const last = seen.get(event);
  return last !== undefined && now - last.at < seenForMs ? last.isFew : undefined;
};

/** Reads the subscribers of an event, if they are few; undefined if they are many. @throws ServiceUnavailableError */
const readFew = async (event: string, now: number): Promise<readonly Subscriber[] | undefined> => {
  const { subscribers } = await listSubscribers(event, maxSubscribers + 1, undefined);
  const isFew = subscribers.length <= maxSubscribers;
  seen.set(event, { isFew, at: now });
  return isFew ? subscribers : undefined;
};

/** Stores an event, if it is small and has few subscribers. */
const prepare = async (event: AcceptedEvent | LargeEvent, rules: Rules, now: number): Promise<Prepared> => {
  const hadFew = wereFew(event.event, now);
  if (event.kind === 'large_event' || hadFew === false) return { event };
  try {
    const reading = readFew(event.event, now);
    // An event that had few is stored while they are read. If they are many now, the fan-out of its message takes over.
    if (hadFew === undefined && (await reading) === undefined) return { event };
    const hash = bodyHash(event.publisher, event.id);
    const stored = { payload: JSON.stringify(event.payload) };
    const body = { ...bodyOf(event, stored, keptDays(rules), now), fan_out_run: directRun };
    const [subscribers, kept] = await Promise.all([reading, keepEventBody(hash, body)]);
    if (kept.owner !== body.owner) {
      reportReuse(kept, event, stored);
      return { event, found: kept };
    }
    if (subscribers === undefined) return { event };
    return { event, messages: firstMessages(kept, hash, subscribers, rules.retryAfterSeconds, true) };
  } catch (error) {
    log.warn('An event goes to the queue: it could not be stored', { event_id: event.id, error });
    return { event };
  }
};

/** Sends deliveries, and adds what was counted meanwhile; returns whether all were accepted. */
const trySending = async (messages: readonly LaneMessage[]): Promise<boolean> => {
  const counted = writeCounts();
  try {
    await sendToLanes(messages);
    if (messages.length > 0) log.add({ deliveries: deliveriesIn(messages) });
    return true;
  } catch (error) {
    log.warn('Events go to the queue: their deliveries could not be sent', { error });
    return false;
  } finally {
    await counted;
  }
};

/** Returns whether the log still has the deliveries of an event, so that they are not repeated: `keepDays` count from their last attempt. */
const isInLog = ({ created_at }: EventBody, { keepDays }: Rules, now: number): boolean =>
  now < Date.parse(created_at) + keepDays * day;

/** Returns the message that fans out a stored event again, after the request that stored it has ended. */
const restOf = ({ publisher, id, created_at }: EventBody, now: number) => ({
  body: { kind: 'rest', body_hash: bodyHash(publisher, id) } as const,
  delaySeconds: Math.max(0, Date.parse(created_at) + longestRequestMs - now) / second,
});
