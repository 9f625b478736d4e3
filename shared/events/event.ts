/** An event on its way: one message in the queue when it is accepted, one body in the table when it is fanned out. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { day, minute, second, timestamp } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import type { Payload } from './payload.ts';

/** The messages of the events queue: an accepted event (also made by the EventBridge rule), or the rest of a long fan-out. */
export const eventMessage = v.union([
  v.object({
    kind: v.literal('event'),
    /** Unique for its publisher. */
    id: v.string(),
    /** Who published it: an integration, a staff member or an EventBridge source. */
    publisher: v.string(),
    event: v.string(),
    /** ISO time of acceptance. */
    accepted_at: v.pipe(v.string(), v.isoTimestamp()),
    payload: v.record(v.string(), v.unknown()),
    /**
     * Names the request that published it: what comes again with the same owner goes on where it was, even as a dead
     * letter that was put back; with another one it is a repetition. EventBridge's own id serves as both.
     */
    owner: v.optional(v.string()),
  }),
  v.object({ kind: v.literal('rest'), body_hash: v.string() }),
]);

export type EventMessage = v.InferOutput<typeof eventMessage>;
export type AcceptedEvent = Extract<EventMessage, { kind: 'event' }>;

/** The stored event, for its deliveries, replays and the log. */
export interface EventBody {
  readonly id: string;
  readonly publisher: string;
  readonly event: string;
  /** When it was accepted, in ISO. */
  readonly created_at: string;
  /** JSON of the payload. */
  readonly payload: string;
  /** The request whose fan-out this is. */
  readonly owner: string;
  /** When DynamoDB may delete it, in epoch seconds. */
  readonly expires_at: number;
  /** The run that fans it out, and until when it counts as alive (epoch ms). */
  readonly fan_out_run?: string;
  readonly fan_out_until?: number;
  /** All subscribers up to this one were sent; missing on the first page. */
  readonly fan_out_after?: WebhookId;
  /** Whether a fan-out of several pages is done. */
  readonly fan_out_done?: boolean;
}

/** Names an event among all publishers. */
export const bodyHash = (publisher: string, id: string): string =>
  createHash('sha256')
    .update(JSON.stringify([publisher, id]))
    .digest('hex');

/** Returns the stored form of an event, for at least 30 days, in which a repetition is harmless. `now` in epoch ms. */
export const bodyOf = (event: AcceptedEvent, payload: Payload, keepDays: number, now: number): EventBody => ({
  id: event.id,
  publisher: event.publisher,
  event: event.event,
  created_at: timestamp(plausibleTime(Date.parse(event.accepted_at), now)),
  payload: JSON.stringify(payload),
  owner: event.owner ?? event.id,
  expires_at: Math.floor((now + Math.max(30, keepDays) * day) / second),
});

/** Returns the time that a publisher on the bus reported, or `now` if it is implausible: delivery ids start with it. */
const plausibleTime = (saidMs: number, now: number): number =>
  saidMs < now - longestWayMs || saidMs > now + minute ? now : saidMs;

/** A message lives seven days in a queue and fourteen in its dead-letter queue. */
const longestWayMs = 21 * day;

/** Returns whether a stored event has this name and payload, as `readPayload` returns it. */
export const isSameEvent = (body: EventBody, { event, payload }: Pick<AcceptedEvent, 'event' | 'payload'>): boolean =>
  body.event === event && body.payload === JSON.stringify(payload);

export const payloadOf = (body: EventBody): Payload => JSON.parse(body.payload) as Payload;
