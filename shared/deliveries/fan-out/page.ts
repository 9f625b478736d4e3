/** A page of a fan-out: deliveries to the next subscribers. Repeating it is harmless, as their ids are derived. */
import type { Message } from '../../aws/queues.ts';
import { type EventBody, type PageMessage, type Place, publisherGroup } from '../../events/event.ts';
import { day, minute } from '../../foundation/clock.ts';
import { listsOf } from '../../foundation/event-selection.ts';
import { timeOfId, type WebhookId } from '../../foundation/ids.ts';
import type { Settings } from '../../foundation/settings.ts';
import { isFor, listSubscribers, type Subscriber } from '../../webhooks/subscriptions.ts';
import { type LaneMessage, sendToLanes } from '../lanes.ts';
import { deliveriesIn } from '../records/messages.ts';
import { audienceOf } from './audience.ts';
import { firstMessages } from './first-messages.ts';

/** Subscribers of a page. The first page of an event has few, so that the first deliveries wait for few others. */
export const pageSize = { first: 50, further: 500 } as const;

export type PageRules = Pick<Settings['deliveries'], 'keepDays' | 'retryAfterSeconds'>;

export interface Page {
  readonly messages: readonly LaneMessage[];
  readonly next: Place | undefined;
}

/** Returns where an event's fan-out begins. */
export const firstPlace = ({ event }: Pick<EventBody, 'event'>): Place => ({ list: listsOf(event)[0] });

/** Returns the place behind what was read of a list: in the same list, at the beginning of the next one, or none. */
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

/** Reads the subscribers at a place, in the lists one after the other until the page is full. */
const readSubscribers = async (event: string, from: Place, limit: number) => {
  const subscribers: Subscriber[] = [];
  let next: Place | undefined = from;
  while (next !== undefined && subscribers.length < limit) {
    const { list, after }: Place = next;
    const read = await listSubscribers(list, limit - subscribers.length, after);
    subscribers.push(...read.subscribers);
    next = placeAfter(event, list, read.next);
  }
  return { subscribers, next };
};

/** Makes the messages at a place. Webhooks created after the event get none; a minute allows for differing clocks. */
export const pageAt = async (
  hash: string,
  body: EventBody,
  place: Place,
  { retryAfterSeconds }: PageRules,
): Promise<Page> => {
  const isFirst = place.after === undefined && place.list === firstPlace(body).list;
  const [audience, page] = await Promise.all([
    audienceOf(body),
    readSubscribers(body.event, place, isFirst ? pageSize.first : pageSize.further),
  ]);
  const latest = Date.parse(body.created_at) + minute;
  const subscribers = await audience(
    page.subscribers.filter((one) => timeOfId(one.webhook_id) <= latest && isFor(one, body)),
  );
  return {
    messages: firstMessages(body, hash, { subscribers, isFirst }, retryAfterSeconds),
    next: page.next,
  };
};

/** Sends pages, and returns how many deliveries they have. @throws ServiceUnavailableError if not all were accepted */
export const sendPages = async (pages: readonly Page[]): Promise<number> => {
  const messages = pages.flatMap((page) => page.messages);
  await sendToLanes(messages);
  return messages.reduce((sum, { message }) => sum + deliveriesIn(message), 0);
};

/** Returns the message of the events queue for the page of a stored event at a place. */
export const pageMessage = (hash: string, event: Pick<EventBody, 'publisher'>, place: Place): Message => ({
  body: { kind: 'page', body_hash: hash, place } satisfies PageMessage,
  group: publisherGroup(event),
});

/** Returns whether the log still has an event's deliveries, so that sending its pages again repeats none. */
export const isInLog = ({ created_at }: EventBody, { keepDays }: Pick<PageRules, 'keepDays'>, now: number): boolean =>
  now < Date.parse(created_at) + keepDays * day;
