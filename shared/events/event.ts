/** An event on its way: from its acceptance, as one queue message, to its body in the table. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { day, minute, second, timestamp } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import type { Payload } from './payload.ts';

/** What the events queue carries: an event just accepted (also made by the EventBridge rule), or the rest of a long fan-out. */
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
  v.object({
    kind: v.literal('rest'),
    body_hash: v.string(),
    /** It goes on behind this subscriber. */
    after: v.pipe(
      v.string(),
      v.transform((id) => id as WebhookId),
    ),
  }),
]);

export type EventMessage = v.InferOutput<typeof eventMessage>;
export type AcceptedEvent = Extract<EventMessage, { kind: 'event' }>;

/** What is kept of an event for its deliveries, for replay and for the log. */
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
}

/** Names an event among all publishers. */
export const bodyHash = (publisher: string, id: string): string =>
  createHash('sha256')
    .update(JSON.stringify([publisher, id]))
    .digest('hex');

/** Bodies are kept for 30 days, in which a repetition is harmless (wire contract), or as long as the log. `now` in epoch ms. */
export const bodyOf = (event: AcceptedEvent, payload: Payload, keepDays: number, now: number): EventBody => {
  const acceptedAt = plausibleTime(Date.parse(event.accepted_at), now);
  return {
    id: event.id,
    publisher: event.publisher,
    event: event.event,
    created_at: timestamp(acceptedAt),
    payload: JSON.stringify(payload),
    owner: event.owner ?? event.id,
    expires_at: Math.floor((acceptedAt + Math.max(30, keepDays) * day) / second),
  };
};

/** Whoever puts events on the bus says when they happened; ids and the end of what is kept are made of it, so it has to be near. */
const plausibleTime = (saidMs: number, now: number): number =>
  saidMs < now - longestWayMs || saidMs > now + minute ? now : saidMs;

/** A message lives seven days in a queue and fourteen in its dead-letter queue. */
const longestWayMs = 21 * day;

export const payloadOf = (body: EventBody): Payload => JSON.parse(body.payload) as Payload;
