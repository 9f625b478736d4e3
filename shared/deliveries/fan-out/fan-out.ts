/** Fan-out creates deliveries by pages: a run sends one, queues the next, moves the cursor; a kill repeats a page. */
import { log } from '../../aws/log.ts';
import { send } from '../../aws/queues.ts';
import {
  type AcceptedEvent,
  bodyHash,
  bodyOf,
  type EventBody,
  type EventMessage,
  endsEarly,
  type Place,
  partsExpiryOf,
  type StoredPayload,
} from '../../events/event.ts';
import { storePayload } from '../../events/parts.ts';
import { reportReuse } from '../../events/reuse.ts';
import { keepEventBody, moveCursor, readEventBody } from '../../events/store.ts';
import { traceIdOf } from '../../events/trace.ts';
import { systemClock } from '../../foundation/clock.ts';
import { countOutcome } from '../../stats/count.ts';
import { keptDays } from '../schedule.ts';
import { firstPlace, isInLog, isSent, type PageRules, pageAt, pageMessage, sendPages } from './page.ts';

/** Processes one message of the events queue. */
export const fanOut = async (message: EventMessage, rules: PageRules): Promise<void> => {
  if (message.kind === 'page') {
    const body = await readEventBody(message.body_hash);
    if (body !== undefined) await sendPage(message.body_hash, body, message.place, rules);
    return;
  }
  const hash = bodyHash(message.publisher, message.id);
  const body = await storeEvent(hash, message, rules);
  if (body !== undefined) await sendPage(hash, body, firstPlace(body), rules);
};

const sendPage = async (hash: string, body: EventBody, place: Place, rules: PageRules): Promise<void> => {
  if (isSent(body, place)) return;
  const page = await pageAt(hash, body, place, rules);
  const deliveries = await sendPages([page]);
  if (page.next !== undefined) await send('events', [pageMessage(hash, body, page.next)]);
  await moveCursor(hash, body.next_page, page.next ?? 'none');
  log.info('fanned out', { event_id: body.id, deliveries, trace_id: traceIdOf(body.traceparent) });
};

/** Stores an event, or returns the one that has its id; undefined if nothing is left to send of that. */
const storeEvent = async (hash: string, event: AcceptedEvent, rules: PageRules): Promise<EventBody | undefined> => {
  const now = systemClock();
  const keepDays = keptDays(rules);
  const stored = await storedPayload(hash, event, keepDays, now);
  const wanted = bodyOf(event, stored, keepDays, now);
  const kept = await keepEventBody(hash, wanted);
  if (kept === wanted) countOutcome('accepted');
  if (kept.owner === wanted.owner) return kept;
  reportReuse(kept, event, stored);
  // The function that stored it may have been killed before it sent the first page.
  return isInLog(kept, rules, now) ? kept : undefined;
};

const storedPayload = async (
  hash: string,
  { publisher, payload, parts }: AcceptedEvent,
  keepDays: number,
  now: number,
): Promise<StoredPayload> => {
  if (parts !== undefined) return { payload: '', parts };
  const expiry = partsExpiryOf(publisher, keepDays, now);
  return storePayload(hash, JSON.stringify(payload), expiry, endsEarly(publisher, keepDays));
};
