/** An event between acceptance and delivery: a message in the queue when it is accepted, a body in the table when it is fanned out. */
import { unescape as decoded } from 'node:querystring';
import * as v from 'valibot';
import { day, minute, second, timestamp } from '../foundation/clock.ts';
import { longestDeliveryDays } from '../foundation/delivery-times.ts';
import { parseExactly } from '../foundation/exact-json.ts';
import { jsonObject } from '../foundation/fields.ts';
import { sha256 } from '../foundation/hash.ts';
import { isId, type WebhookId } from '../foundation/ids.ts';
import type { Payload } from './payload.ts';
import { mastheadPublisher } from './publisher.ts';

const accepted = {
  /** Unique for its publisher. */
  id: v.string(),
  /** Who published it: an integration, a staff member or an EventBridge source. */
  publisher: v.string(),
  event: v.string(),
  /** ISO time of acceptance. */
  accepted_at: v.pipe(v.string(), v.isoTimestamp()),
  /**
   * Identifies the request that published it, so that the request recognises its own write. The same event id with another owner is a repetition.
   * For EventBridge, its own id serves as both.
   */
  owner: v.optional(v.string()),
  /** The publisher's (`trace.ts`). */
  traceparent: v.optional(v.string()),
};

/** A payload that is stored in parts (`parts.ts`): the SHA-256 of its JSON, and the number of parts. */
const payloadParts = v.object({ hash: v.string(), count: v.number() });

export type PayloadParts = v.InferOutput<typeof payloadParts>;

/** A list of subscribers, and the webhook of it behind which a page begins; without one, the page is the first of the list. */
const place = v.object({
  list: v.string(),
  after: v.optional(v.pipe(v.string(), v.guard(isId<WebhookId>))),
});

/** Where a page of an event's subscribers begins (`deliveries/fan-out/page.ts`). */
export type Place = v.InferOutput<typeof place>;

/**
 * The messages of the events queue: an accepted event (`bus-event.ts` converts those of the bus), whose payload is empty if it is in the table
 * already, or a page of a stored event's subscribers.
 */
export const eventMessage = v.union([
  v.object({
    kind: v.literal('event'),
    ...accepted,
    payload: jsonObject,
    parts: v.optional(payloadParts),
  }),
  v.object({ kind: v.literal('page'), body_hash: v.string(), place }),
]);

export type EventMessage = v.InferOutput<typeof eventMessage>;
export type AcceptedEvent = Extract<EventMessage, { kind: 'event' }>;
export type PageMessage = Extract<EventMessage, { kind: 'page' }>;

/** The payload in the form for an item or a message. */
export interface StoredPayload {
  /** JSON; empty if `parts` contains it. */
  readonly payload: string;
  readonly parts?: PayloadParts;
}

/** The stored event, which its deliveries, replays and the log use. */
export interface EventBody extends StoredPayload {
  readonly id: string;
  readonly publisher: string;
  readonly event: string;
  /** When it was accepted, in ISO. */
  readonly created_at: string;
  /** The request that stored it. */
  readonly owner: string;
  readonly traceparent?: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
  /** The page to be sent next: all pages before it were sent. Missing until the events queue has sent one. */
  readonly next_page?: Place | 'none';
}

/** Identifies an event among all publishers. */
export const bodyHash = (publisher: string, id: string): string => sha256(JSON.stringify([publisher, id]));

/**
 * Returns the id of an event that receivers get: unique among all publishers, in characters that every HTTP library accepts in a header. It is the
 * publisher's id, followed by the beginning of the `hash` of both.
 */
export const receivedId = (id: string, hash: string): string => `${visibleAscii(id)}.${hash.slice(0, 12)}`;

const visibleAscii = (text: string): string =>
  /^[\x21-\x7e]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed());

/** Returns whether an event has this id: the publisher's, or the one that receivers get. */
export const hasId = (id: string, hash: string, wanted: string): boolean =>
  id === wanted || receivedId(id, hash) === wanted;

/** Returns the publisher's ids that an event with this id can have. */
export const publishersIds = (wanted: string): string[] => {
  const [, id] = /^(.*)\.[0-9a-f]{12}$/.exec(wanted) ?? [];
  return id === undefined ? [wanted] : [wanted, id, decoded(id)];
};

/**
 * Returns the group whose turn a message takes in a fair queue: its publisher. The name of a source on the bus may be long or contain spaces, which
 * SQS refuses in a group's name.
 */
export const publisherGroup = ({ publisher }: Pick<EventBody, 'publisher'>): string =>
  /^[!-~]{1,128}$/.test(publisher) ? publisher : sha256(publisher);

/** Days for which publishers may repeat an id. */
const idsLastDays = 30;

/** For Masthead's own events, which it repeats within days at most. Those about staff are kept no longer than `deliveries.keepDays` requires. */
const minDays = (publisher: string): number => (publisher === mastheadPublisher ? 0 : idsLastDays);

/**
 * Returns whether a payload ends before the memory of its event's id, which repetitions need. Such a payload is stored in parts of its own, however
 * small it is, and the event keeps its digest.
 */
export const endsEarly = (publisher: string, keepDays: number): boolean => keepDays < minDays(publisher);

/** Returns the stored form of an event. It is kept for `keepDays`, and as long as a repetition must be harmless. `now` in epoch ms. */
export const bodyOf = (
  event: Omit<AcceptedEvent, 'kind' | 'payload' | 'parts'>,
  stored: StoredPayload,
  keepDays: number,
  now: number,
): EventBody => ({
  id: event.id,
  publisher: event.publisher,
  event: event.event,
  created_at: timestamp(plausibleTime(Date.parse(event.accepted_at), now)),
  ...stored,
  owner: event.owner ?? event.id,
  ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
  expires_at: expiryOf(Math.max(minDays(event.publisher), keepDays), now),
});

const expiryOf = (days: number, now: number): number => Math.floor((now + days * day) / second);

/** Returns when the parts of a payload may be deleted whose event is stored now, in epoch seconds: after the last attempt that needs them. */
export const partsExpiryOf = (publisher: string, keepDays: number, now: number): number =>
  endsEarly(publisher, keepDays) ? expiryOf(keepDays, now) : queuedPartsExpiryOf(keepDays, now);

/** The same if the event goes to a queue first: later than the event's body, however late that is stored. */
export const queuedPartsExpiryOf = (keepDays: number, now: number): number =>
  expiryOf(Math.max(idsLastDays, keepDays), now + longestWayMs);

/**
 * Returns the reported time of acceptance, or `now` if it is implausible or so long ago that hardly any time would be left for attempts. Delivery ids
 * start with it.
 */
const plausibleTime = (saidMs: number, now: number): number =>
  saidMs < now - oldestMs || saidMs > now + minute ? now : saidMs;

/** Leaves a day for attempts, which end seven days after the event. */
const oldestMs = (longestDeliveryDays - 1) * day;

/** A message lives seven days in a queue and fourteen in its dead-letter queue. */
const longestWayMs = 21 * day;

/** Returns whether a stored event has this name and payload. */
export const isSameEvent = (body: EventBody, event: string, stored: StoredPayload): boolean =>
  body.event === event && digestOf(body) === digestOf(stored);

const digestOf = ({ payload, parts }: StoredPayload): string => parts?.hash ?? sha256(payload);

/** Returns the payload of an event stored in one item, or whose parts were read. */
export const payloadOf = ({ payload }: StoredPayload): Payload => parseExactly(payload) as Payload;
