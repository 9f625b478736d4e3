/** Starts the fan-out of an event where it is published: stores the event, and creates the deliveries for the first page of its subscribers. */
import { log } from '../../aws/log.ts';
import type { Message } from '../../aws/queues.ts';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  directRun,
  type EventBody,
  type EventMessage,
  type LargeEvent,
  payloadJson,
} from '../../events/event.ts';
import { reportReuse } from '../../events/reuse.ts';
import { keepEventBody } from '../../events/store.ts';
import { day, second } from '../../foundation/clock.ts';
import type { Settings } from '../../foundation/settings.ts';
import { writeCounts } from '../../stats/count.ts';
import { firstPageSize, listSubscribers } from '../../webhooks/subscriptions.ts';
import { firstMessages } from '../fan-out/first-messages.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { deliveriesIn } from '../records/messages.ts';
import { keptDays } from '../schedule.ts';

/** No request takes longer than this: by then its function has sent the deliveries or was killed. */
export const longestRequestMs = 10 * second;

export type Rules = Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>;

type NewEvent = AcceptedEvent | LargeEvent;

/** How far an event's fan-out has come. */
export type Start =
  /** The event is stored, and these messages must be sent; `rest` is for the events queue if more subscribers follow. */
  | {
      readonly kind: 'started';
      readonly event: NewEvent;
      readonly messages: readonly LaneMessage[];
      readonly rest: EventMessage | undefined;
    }
  /** The event is large or could not be stored, so the events queue gets it as a whole. */
  | { readonly kind: 'queued'; readonly event: NewEvent }
  /** Another request has stored an event with the same id. */
  | { readonly kind: 'duplicate'; readonly stored: EventBody };

/** Stores an event while its first subscribers are being read. Never rejects. `now` in epoch ms. */
export const startFanOut = async (event: NewEvent, rules: Rules, now: number): Promise<Start> => {
  if (event.kind === 'large_event') return { kind: 'queued', event };
  try {
    const hash = bodyHash(event.publisher, event.id);
    const stored = { payload: payloadJson(event.payload) };
    const body = { ...bodyOf(event, stored, keptDays(rules), now), fan_out_run: directRun };
    const [{ subscribers, next }, kept] = await Promise.all([
      listSubscribers(event.event, firstPageSize, undefined),
      keepEventBody(hash, body),
    ]);
    if (kept.owner !== body.owner) {
      reportReuse(kept, event, stored);
      return { kind: 'duplicate', stored: kept };
    }
    const messages = firstMessages(kept, hash, { subscribers, isFirst: true }, rules.retryAfterSeconds);
    return { kind: 'started', event, messages, rest: next && { kind: 'continuation', body_hash: hash, after: next } };
  } catch (error) {
    log.warn('An event goes to the queue: it could not be stored', { event_id: event.id, error });
    return { kind: 'queued', event };
  }
};

/** Sends first deliveries, and writes pending counts meanwhile. Returns whether all were accepted; never rejects. */
export const sendFirst = async (messages: readonly LaneMessage[]): Promise<boolean> => {
  const counted = writeCounts();
  try {
    await sendToLanes(messages);
    const deliveries = messages.reduce((sum, { message }) => sum + deliveriesIn(message), 0);
    if (deliveries > 0) log.add({ deliveries });
    return true;
  } catch (error) {
    log.warn('Events go to the queue: their deliveries could not be sent', { error });
    return false;
  } finally {
    await counted;
  }
};

/** Returns the message for the events queue that completes a fan-out, or none if nothing is left. */
export const messagesFor = (start: Start, isSent: boolean): Message[] => {
  if (start.kind === 'duplicate') return [];
  if (start.kind === 'queued' || (!isSent && start.messages.length > 0)) return [{ body: start.event }];
  return start.rest === undefined ? [] : [{ body: start.rest }];
};

/** Returns whether the log still has an event's deliveries, so that sending it again cannot repeat them. `keepDays` count from their last attempt. */
export const isInLog = ({ created_at }: EventBody, { keepDays }: Rules, now: number): boolean =>
  now < Date.parse(created_at) + keepDays * day;

/** Returns the message that repeats the fan-out of a stored event, once the request that stored it has ended. */
export const repetitionOf = ({ publisher, id, created_at }: EventBody, now: number): Message => ({
  body: { kind: 'continuation', body_hash: bodyHash(publisher, id) } satisfies EventMessage,
  delaySeconds: Math.max(0, Date.parse(created_at) + longestRequestMs - now) / second,
});
