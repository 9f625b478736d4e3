/**
 * Fan-out: creates a delivery for each subscriber of an event, or for those that the publishing function did not reach. A run holds a lease,
 * saves a cursor after each full page, and queues the rest before its timeout and while the lane has a backlog. If it is killed, the next run
 * resumes.
 */
import { log } from '../../aws/log.ts';
import { isLongerThan, send } from '../../aws/queues.ts';
import type { Received } from '../../aws/worker.ts';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  directRun,
  type EventBody,
  type EventMessage,
  isDirectFanOutOpen,
  type LargeEvent,
  partsExpiryOf,
  publisherGroup,
  type StoredPayload,
} from '../../events/event.ts';
import { storePayload } from '../../events/parts.ts';
import type { Payload } from '../../events/payload.ts';
import { reportReuse } from '../../events/reuse.ts';
import { readQueued } from '../../events/schema.ts';
import { keepEventBody, readEventBody } from '../../events/store.ts';
import { minute, second, systemClock } from '../../foundation/clock.ts';
import { FormatError } from '../../foundation/format.ts';
import { timeOfId, type WebhookId } from '../../foundation/ids.ts';
import { newId } from '../../foundation/new-id.ts';
import type { Settings } from '../../foundation/settings.ts';
import { firstPageSize, listSubscribers, type SubscriberPage } from '../../webhooks/subscriptions.ts';
import { sendToLanes } from '../lanes.ts';
import { deliveriesIn } from '../records/messages.ts';
import { keptDays } from '../schedule.ts';
import { audienceOf } from './audience.ts';
import { firstMessages } from './first-messages.ts';
import { finishFanOut, handOverFanOut, leaseMs, saveFanOut, takeOverFanOut } from './store.ts';

/** Subscribers per page: a run has two pages in memory, so the next run after a kill repeats at most two. */
const pageSize = 500;
/** No page starts this close to the timeout, in ms. A page is read, sent and saved, and each of these steps ends or times out within 4 s. */
const reserveMs = 15 * second;
/**
 * A fan-out pauses while more than this many messages, each for up to ten deliveries, are in the lane. So an event of another publisher waits
 * behind at most this many messages, even before SQS has recognised the noisy publisher. `prod` delivers that many in a second.
 */
const backlog = 500;
const pauseSeconds = 1;

type Rules = Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>;

/**
 * Processes one message of the events queue until the event is fanned out or its time is over (`timeoutAt`, epoch ms).
 * @throws Error if an event from the bus has an invalid payload
 */
export const fanOut = async (
  { body: message, messageId }: Received<EventMessage>,
  timeoutAt: number,
  rules: Rules,
): Promise<void> => {
  const run = `${messageId} ${newId()}`;
  const hash = message.kind === 'continuation' ? message.body_hash : bodyHash(message.publisher, message.id);
  const task = await (message.kind === 'continuation'
    ? resume(hash, message.after, run)
    : begin(hash, message, run, rules));
  if (task === undefined) return;
  const sent = await sendPages(hash, task, timeoutAt - reserveMs, rules);
  log.info('fanned out', { event_id: task.body.id, deliveries: sent });
};

/** The event that this run has to fan out. */
interface Task {
  readonly body: EventBody;
  /** The next page of subscribers. Present only if this run has read it already, and no earlier run can have sent it. */
  readonly page?: SubscriberPage;
}

/** Stores the event's body, or uses the one that an earlier run or an earlier event with this id has stored. */
const begin = async (
  hash: string,
  event: AcceptedEvent | LargeEvent,
  run: string,
  rules: Rules,
): Promise<Task | undefined> => {
  const now = systemClock();
  const keepDays = keptDays(rules);
  const stored = await storedPayload(hash, event, partsExpiryOf(keepDays, now));
  const wanted = {
    ...bodyOf(event, stored, keepDays, now),
    fan_out_run: run,
    fan_out_until: now + leaseMs,
  };
  const [kept, page] = await Promise.all([
    keepEventBody(hash, wanted),
    listSubscribers(event.event, firstPageSize, undefined),
  ]);
  if (kept.fan_out_run === run) return { body: kept, page };
  reportReuse(kept, event, stored);
  if (isDirectFanOutOpen(kept)) return takeOver(hash, kept, run);
  if (kept.owner !== wanted.owner) return undefined;
  const isAlive = (kept.fan_out_until ?? 0) > now;
  const isOther = messageOf(kept.fan_out_run) !== messageOf(run);
  return isAlive && isOther ? undefined : takeOver(hash, kept, run);
};

/** Prepares the payload for the table. Events of the bus are checked here for the first time. @throws FormatError if it is invalid */
const storedPayload = async (
  hash: string,
  event: AcceptedEvent | LargeEvent,
  partsExpiry: number,
): Promise<StoredPayload> => {
  if (event.kind === 'large_event') return { payload: '', parts: event.parts };
  const { payload } = event;
  const read = readQueued(event.event, typeof payload === 'string' ? (JSON.parse(payload) as Payload) : payload);
  if (!read.ok) throw new FormatError(`The event ${event.id} of ${event.publisher} is not delivered: ${read.message}`);
  return storePayload(hash, typeof payload === 'string' ? payload : JSON.stringify(read.payload), partsExpiry);
};

/** Resumes at the saved cursor. The first run after a direct fan-out resumes behind the last webhook that got a message directly. */
const resume = async (hash: string, after: WebhookId | undefined, run: string): Promise<Task | undefined> => {
  const body = after && (await takeOverFanOut(hash, directRun, run, after));
  if (body === undefined) return takeOver(hash, await readEventBody(hash), run);
  return body.fan_out_done === true ? undefined : { body, page: await listSubscribers(body.event, pageSize, after) };
};

/**
 * Takes the lease from a run that has ended or was killed. As long as the lease lasts, that run may be active, so the message waits.
 * A second message for the same event is dropped, because the first one is still in the queue.
 *
 * An event whose fan-out began directly has a mark (`directRun`). A run that finds the mark skips webhooks that were created after the event. It leaves
 * the mark in place, so that each further run reaches the same webhooks.
 */
const takeOver = async (hash: string, body: EventBody | undefined, run: string): Promise<Task | undefined> => {
  if (body === undefined || body.fan_out_done === true) return undefined;
  const leftMs = (body.fan_out_until ?? 0) - systemClock();
  if (leftMs > 0) {
    await sendRest(hash, body, leftMs / second);
    return undefined;
  }
  const taken = isDirectFanOutOpen(body) ? body : await takeOverFanOut(hash, body.fan_out_run, run);
  return taken && { body: taken };
};

const sendRest = (hash: string, body: EventBody, delaySeconds = 0): Promise<void> =>
  send('events', [
    {
      body: { kind: 'continuation', body_hash: hash } satisfies EventMessage,
      group: publisherGroup(body),
      delaySeconds,
    },
  ]);

const messageOf = (run = ''): string => run.split(' ')[0] ?? '';

/** Returns whether the normal lane has a backlog. If the queue does not answer, the fan-out continues as if there were none. */
const hasBacklog = (): Promise<boolean> => isLongerThan('deliveries', backlog, false);

/** Sends page after page until `deadline` (epoch ms) and returns how many deliveries were sent. */
const sendPages = async (
  hash: string,
  { body, page: read }: Task,
  deadline: number,
  { retryAfterSeconds }: Rules,
): Promise<number> => {
  const { event, fan_out_run: run = '' } = body;
  const isRepeated = isDirectFanOutOpen(body);
  // A repeated event does not reach webhooks that were created since; the minute allows for differing clocks.
  const latest = isRepeated ? Date.parse(body.created_at) + minute : Number.POSITIVE_INFINITY;
  let after = body.fan_out_after;
  let isSaved = after !== undefined && read === undefined;
  let sent = 0;
  const audience = await audienceOf(body);
  let page = read ?? (await listSubscribers(event, after === undefined ? firstPageSize : pageSize, after));
  for (;;) {
    const isFirst = after === undefined;
    after = page.next;
    const subscribers = await audience(page.subscribers.filter(({ webhook_id }) => timeOfId(webhook_id) <= latest));
    const messages = firstMessages(body, hash, { subscribers, isFirst }, retryAfterSeconds);
    const [, next, isPaused] = await Promise.all([
      sendToLanes(messages),
      after && listSubscribers(event, pageSize, after),
      after !== undefined && !isFirst && hasBacklog(),
    ]);
    sent += messages.reduce((sum, { message }) => sum + deliveriesIn(message), 0);
    if (after === undefined || next === undefined) {
      // A short fan-out needs no further write: repeating it creates the same deliveries.
      if (isSaved || isRepeated) await finishFanOut(hash, run);
      return sent;
    }
    if (isPaused || systemClock() >= deadline) {
      if (await handOverFanOut(hash, run, after)) await sendRest(hash, body, isPaused ? pauseSeconds : 0);
      return sent;
    }
    // A short page is cheaper to repeat than to save.
    if (!isFirst && !(await saveFanOut(hash, run, after))) return sent;
    isSaved ||= !isFirst;
    page = next;
  }
};
