/** An event between acceptance and delivery: a message in the queue when it is accepted, a body in the table when it is fanned out. */
import * as v from 'valibot';
import { day, minute, second, timestamp } from '../foundation/clock.ts';
import { longestDeliveryDays } from '../foundation/delivery-times.ts';
import { parseExactly } from '../foundation/exact-json.ts';
import { jsonObject } from '../foundation/fields.ts';
import { sha256 } from '../foundation/hash.ts';
import { isId, type WebhookId } from '../foundation/ids.ts';
import type { Payload } from './payload.ts';

const accepted = {
  /** Unique for its publisher. */
  id: v.string(),
  /** Who published it: an integration, a staff member or an EventBridge source. */
  publisher: v.string(),
  event: v.string(),
  /** ISO time of acceptance. */
  accepted_at: v.pipe(v.string(), v.isoTimestamp()),
  /**
   * Identifies the request that published it. A redelivery with the same owner resumes where the first run stopped, even if it is a dead letter that
   * was put back; the same event id with another owner is a repetition. For EventBridge, its own id serves as both.
   */
  owner: v.optional(v.string()),
};

/** A payload that is stored in parts (`parts.ts`): the SHA-256 of its JSON, and the number of parts. */
const payloadParts = v.object({ hash: v.string(), count: v.number() });

export type PayloadParts = v.InferOutput<typeof payloadParts>;

/**
 * The messages of the events queue: an accepted event (`bus-event.ts` converts those of the bus), an event whose payload is too large for a message and
 * already in the table, or the rest of a fan-out.
 */
export const eventMessage = v.union([
  v.object({ kind: v.literal('event'), ...accepted, payload: v.union([jsonObject, v.string()]) }),
  v.object({ kind: v.literal('large_event'), ...accepted, parts: payloadParts }),
  v.object({
    kind: v.literal('continuation'),
    body_hash: v.string(),
    /** The last webhook that a direct fan-out has sent to; missing if the stored event says how far its fan-out has come. */
    after: v.optional(v.pipe(v.string(), v.guard(isId<WebhookId>))),
  }),
]);

export type EventMessage = v.InferOutput<typeof eventMessage>;
export type AcceptedEvent = Extract<EventMessage, { kind: 'event' }>;
export type LargeEvent = Extract<EventMessage, { kind: 'large_event' }>;

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
  /** The request to which this fan-out belongs. */
  readonly owner: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
  /** The run that fans it out, and until when that run counts as alive (epoch ms). */
  readonly fan_out_run?: string;
  readonly fan_out_until?: number;
  /** All subscribers up to this one were sent; missing on the first page. */
  readonly fan_out_after?: WebhookId;
  /** Set when a fan-out of several pages, or a repeated one, is complete. Short fan-outs never set it. */
  readonly fan_out_done?: boolean;
}

/** The run of a direct fan-out (`deliveries/publish/first-page.ts`). It has no lease, so that it does not block other runs, and it does not mark the event as done. */
export const directRun = 'direct';

/** Returns whether an event may be stored but not sent, because the function that accepted it was killed in between. */
export const isDirectFanOutOpen = ({ fan_out_run, fan_out_done }: EventBody): boolean =>
  fan_out_run === directRun && fan_out_done !== true;

/** Identifies an event among all publishers. */
export const bodyHash = (publisher: string, id: string): string => sha256(JSON.stringify([publisher, id]));

/**
 * Returns the group whose turn a message takes in a fair queue: its publisher. The name of a source on the bus may be long or contain spaces, which
 * SQS refuses in a group's name.
 */
export const publisherGroup = ({ publisher }: Pick<EventBody, 'publisher'>): string =>
  /^[!-~]{1,128}$/.test(publisher) ? publisher : sha256(publisher);

/** Days for which publishers may repeat an id. */
const idsLastDays = 30;

/** For Masthead's own events, which it repeats within days at most. Those about staff are kept no longer than `deliveries.keepDays` requires. */
const minDays = (publisher: string): number => (publisher === 'masthead' ? 0 : idsLastDays);

/** Returns the stored form of an event. It is kept for `keepDays`, and as long as a repetition must be harmless. `now` in epoch ms. */
export const bodyOf = (
  event: Omit<AcceptedEvent | LargeEvent, 'kind'>,
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
  expires_at: expiryOf(Math.max(minDays(event.publisher), keepDays), now),
});

const expiryOf = (days: number, now: number): number => Math.floor((now + days * day) / second);

/** Returns when the parts of a payload accepted now may be deleted, in epoch seconds: later than the event's body, however late that is stored. */
export const partsExpiryOf = (keepDays: number, now: number): number =>
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

/** Returns a message's payload as JSON. It is an object, or text if it has numbers that an object would not preserve. */
export const payloadJson = (payload: AcceptedEvent['payload']): string =>
  typeof payload === 'string' ? payload : JSON.stringify(payload);

/** Returns the payload of an event stored in one item, or whose parts were read. */
export const payloadOf = ({ payload }: StoredPayload): Payload => parseExactly(payload) as Payload;
