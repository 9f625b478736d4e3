/** An event between acceptance and delivery: first a message in the queue, then a body in the table. */
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
  /** The request that published it, which so recognises its own write; for EventBridge, the event's own id. */
  owner: v.optional(v.string()),
  /** The publisher's (`trace.ts`). */
  traceparent: v.optional(v.string()),
};

/** A payload that is stored in parts (`parts.ts`): the SHA-256 of its JSON, and the number of parts. */
const payloadParts = v.object({ hash: v.string(), count: v.number() });

export type PayloadParts = v.InferOutput<typeof payloadParts>;

/** A list of subscribers, and the webhook in it after which a page begins; without one, the list's first page. */
const place = v.object({
  list: v.string(),
  after: v.optional(v.pipe(v.string(), v.guard(isId<WebhookId>))),
});

export type Place = v.InferOutput<typeof place>;

/** Messages of the events queue: an accepted event (no payload if it is stored), or a page of its subscribers. */
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

/** Returns the id that receivers get: the publisher's, in ASCII for headers, then a part of the hash of both. */
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

/** Returns a message's group in a fair queue: its publisher, hashed if SQS refuses it (long, or with spaces). */
export const publisherGroup = ({ publisher }: Pick<EventBody, 'publisher'>): string =>
  /^[!-~]{1,128}$/.test(publisher) ? publisher : sha256(publisher);

/** Days for which publishers may repeat an id. */
const idsLastDays = 30;

/** Masthead repeats its own events within days at most; those about staff are kept only as long as deliveries. */
const minDays = (publisher: string): number => (publisher === mastheadPublisher ? 0 : idsLastDays);

/** Returns whether a payload ends before its event's id, which repetitions need: then it is stored in parts. */
export const endsEarly = (publisher: string, keepDays: number): boolean => keepDays < minDays(publisher);

/** Returns an event as stored: for `keepDays`, and as long as repetitions must be harmless. */
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

/** Returns when the parts of an event that is stored now may be deleted, in epoch seconds: after its last attempt. */
export const partsExpiryOf = (publisher: string, keepDays: number, now: number): number =>
  endsEarly(publisher, keepDays) ? expiryOf(keepDays, now) : queuedPartsExpiryOf(keepDays, now);

/** The same if the event goes to a queue first: later than the event's body, however late that is stored. */
export const queuedPartsExpiryOf = (keepDays: number, now: number): number =>
  expiryOf(Math.max(idsLastDays, keepDays), now + longestWayMs);

/** Returns the reported time, or `now` if implausible or too old for attempts. Delivery ids start with it. */
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
