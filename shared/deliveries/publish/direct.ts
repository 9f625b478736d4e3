/**
 * Direct fan-out: the function that accepts an event stores it and sends the deliveries to its first subscribers itself, without the events
 * queue (docs/adr/0017-fan-outs-begin-directly.md). The queue gets those with more subscribers then, and those for which that fails.
 */
import { log } from '../../aws/log.ts';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  directRun,
  type EventBody,
  type EventMessage,
  type LargeEvent,
  mayBeUnsent,
} from '../../events/event.ts';
import { reportReuse } from '../../events/reuse.ts';
import type { EventResource, NewEvent } from '../../events/schema.ts';
import { keepEventBody } from '../../events/store.ts';
import { day, second } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { writeCounts } from '../../stats/count.ts';
import { firstPageSize, listSubscribers } from '../../webhooks/subscriptions.ts';
import { deliveriesIn, firstMessages } from '../fan-out/first-messages.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { keptDays } from '../schedule.ts';
import { acceptEvents, type FanOut } from './accept.ts';

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
    const isSent = await trySending(prepared.flatMap(({ first }) => first?.messages ?? []));
    const taken = new Map(
      prepared.flatMap(({ event, found }) => (found === undefined ? [] : [[event, found] as const])),
    );
    const unfinished = prepared.flatMap(({ event, first, found }): EventMessage[] => {
      if (found !== undefined) return [];
      if (first === undefined || (!isSent && first.messages.length > 0)) return [event];
      return first.rest === undefined ? [] : [first.rest];
    });
    const repeated = [...known, ...taken.values()].filter((body) => mayBeUnsent(body) && isInLog(body, rules, now));
    return {
      queued: [...unfinished.map((body) => ({ body })), ...repeated.map((body) => restOf(body, now))],
      taken,
    };
  };

interface Prepared {
  readonly event: AcceptedEvent | LargeEvent;
  /** The first messages of an event that is stored now; missing for one that goes to the queue. */
  readonly first?: FirstMessages;
  /** The stored event that has its id. */
  readonly found?: EventBody;
}

interface FirstMessages {
  readonly messages: readonly LaneMessage[];
  /** The message for the events queue if more subscribers follow. */
  readonly rest: EventMessage | undefined;
}

/** Stores an event, if it is small, while its first subscribers are read. */
const prepare = async (event: AcceptedEvent | LargeEvent, rules: Rules, now: number): Promise<Prepared> => {
  if (event.kind === 'large_event') return { event };
  try {
    const hash = bodyHash(event.publisher, event.id);
    const stored = { payload: JSON.stringify(event.payload) };
    const body = { ...bodyOf(event, stored, keptDays(rules), now), fan_out_run: directRun };
    const [{ subscribers, next }, kept] = await Promise.all([
      listSubscribers(event.event, firstPageSize, undefined),
      keepEventBody(hash, body),
    ]);
    if (kept.owner !== body.owner) {
      reportReuse(kept, event, stored);
      return { event, found: kept };
    }
    const messages = firstMessages(kept, hash, { subscribers, isFirst: true }, rules.retryAfterSeconds);
    return { event, first: { messages, rest: next && { kind: 'rest', body_hash: hash, after: next } } };
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
  body: { kind: 'rest', body_hash: bodyHash(publisher, id) } satisfies EventMessage,
  delaySeconds: Math.max(0, Date.parse(created_at) + longestRequestMs - now) / second,
});
