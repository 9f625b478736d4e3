/**
 * A page of an event's fan-out: the deliveries to the next subscribers of one list. Sending a page again creates the same deliveries, because their
 * ids are derived.
 */
import type { Message } from '../../aws/queues.ts';
import { type EventBody, type PageMessage, type Place, publisherGroup } from '../../events/event.ts';
import { day, minute } from '../../foundation/clock.ts';
import { timeOfId, type WebhookId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import { countOutcome } from '../../stats/count.ts';
import { listSubscribers } from '../../webhooks/subscriptions.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { deliveriesIn } from '../records/messages.ts';
import { audienceOf } from './audience.ts';
import { firstMessages } from './first-messages.ts';

/** Subscribers of a page. The first page of an event has few, so that the first deliveries wait for few others. */
export const pageSize = { first: 50, further: 500 } as const;

export type PageRules = Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>;

export interface Page {
  /** Whether it is the first page of its event. */
  readonly isFirst: boolean;
  readonly messages: readonly LaneMessage[];
  /** Undefined for the last page. */
  readonly next: Place | undefined;
}

/** Returns the lists of an event's subscribers, in the order in which they are read. */
const listsOf = (event: string): readonly [string, ...string[]] => [event];

/** Returns where an event's fan-out begins. */
export const firstPlace = ({ event }: Pick<EventBody, 'event'>): Place => ({ list: listsOf(event)[0] });

/** Returns the place behind a page of a list: in the same list, at the beginning of the next one, or none. */
const placeAfter = (event: string, list: string, last: WebhookId | undefined): Place | undefined => {
  if (last !== undefined) return { list, after: last };
  const lists = listsOf(event);
  const next = lists[lists.indexOf(list) + 1];
  return next === undefined ? undefined : { list: next };
};

/** Returns whether an event's cursor lies behind a place, because the page there was sent. */
export const isSent = ({ event, next_page }: EventBody, { list, after }: Place): boolean => {
  if (next_page === undefined) return false;
  if (next_page === 'none') return true;
  const lists = listsOf(event);
  const further = lists.indexOf(next_page.list) - lists.indexOf(list);
  return further > 0 || (further === 0 && (next_page.after ?? '') > (after ?? ''));
};

/**
 * Reads the subscribers at a place and makes their messages. Webhooks that were created after the event get none; a minute allows for differing
 * clocks.
 */
export const pageAt = async (
  hash: string,
  body: EventBody,
  place: Place,
  { retryAfterSeconds }: PageRules,
): Promise<Page> => {
  const isFirst = place.after === undefined && place.list === firstPlace(body).list;
  const [audience, page] = await Promise.all([
    audienceOf(body),
    listSubscribers(place.list, isFirst ? pageSize.first : pageSize.further, place.after),
  ]);
  const latest = Date.parse(body.created_at) + minute;
  const subscribers = await audience(page.subscribers.filter(({ webhook_id }) => timeOfId(webhook_id) <= latest));
  return {
    isFirst,
    messages: firstMessages(body, hash, { subscribers, isFirst }, retryAfterSeconds),
    next: placeAfter(body.event, place.list, page.next),
  };
};

/** Sends pages, and returns how many deliveries they have. @throws ServiceUnavailableError if not all were accepted */
export const sendPages = async (pages: readonly Page[]): Promise<number> => {
  // The first delivery counts its event as accepted.
  for (const { isFirst, messages } of pages) if (isFirst && messages.length === 0) countOutcome('accepted');
  const messages = pages.flatMap((page) => page.messages);
  await sendToLanes(messages);
  return messages.reduce((sum, { message }) => sum + deliveriesIn(message), 0);
};

/** Returns the message of the events queue for the page of a stored event at a place. */
export const pageMessage = (hash: string, event: Pick<EventBody, 'publisher'>, place: Place): Message => ({
  body: { kind: 'page', body_hash: hash, place } satisfies PageMessage,
  group: publisherGroup(event),
});

/** Returns whether the log still has an event's deliveries, so that sending its pages again repeats none. `now` in epoch ms. */
export const isInLog = ({ created_at }: EventBody, { keepDays }: Pick<PageRules, 'keepDays'>, now: number): boolean =>
  now < Date.parse(created_at) + keepDays * day;
