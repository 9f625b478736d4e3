/** Makes the messages for the first attempts of an event's deliveries, each for its webhooks' lane. */
import { type EventBody, payloadOf, publisherGroup } from '../../events/event.ts';
import { operationalEvents } from '../../foundation/event-names.ts';
import { countOutcome } from '../../stats/count.ts';
import type { Subscriber } from '../../webhooks/subscriptions.ts';
import { firstMessage } from '../delivery.ts';
import type { LaneMessage } from '../lanes.ts';
import { pack } from '../records/messages.ts';

/**
 * Up to this many subscribers, messages carry the payload, so that first attempts need not read it: ten messages of 4 KiB are billed as one request
 * of 64 KiB. More subscribers share a read.
 */
const maxWithPayload = 10;

interface Page {
  readonly subscribers: readonly Subscriber[];
  /**
   * The messages of the first page count the event as accepted, and carry the payload if there are few. Those of later pages take the publisher's
   * turn (docs/adr/0026-a-wide-event-takes-its-publishers-turn.md).
   */
  readonly isFirst: boolean;
}

/**
 * Returns the messages for a page of an event's subscribers, with the first delay of the schedule.
 * @param hash the hash in the key of the stored event
 */
export const firstMessages = (
  body: EventBody,
  hash: string,
  { subscribers, isFirst }: Page,
  retryAfterSeconds: readonly number[],
): LaneMessage[] => {
  const subject = subjectOf(body);
  const wanted = subscribers.filter(({ webhook_id }) => webhook_id !== subject);
  if (isFirst && wanted.length === 0) countOutcome('accepted');
  const hasPayload = isFirst && subscribers.length <= maxWithPayload && body.parts === undefined;
  const payload = hasPayload ? body.payload : undefined;
  const event = { body_hash: hash, event: body.event, event_id: body.id, created_at: body.created_at, payload };
  const idsIn = (isSlow: boolean) =>
    wanted.filter(({ lane }) => (lane === 'slow') === isSlow).map(({ webhook_id }) => webhook_id);
  const messages = [
    ...pack(event, idsIn(false)).map((message) => ({ message, lane: 'normal' as const })),
    // In the slow lane, each delivery takes its own turn.
    ...idsIn(true).map((id) => ({ message: firstMessage(event, id), lane: 'slow' as const })),
  ];
  const delaySeconds = retryAfterSeconds[0] ?? 0;
  return messages.map(({ message, lane }, position) => ({
    message: isFirst && position === 0 ? { ...message, first: true } : message,
    lane,
    delaySeconds,
    ...(!isFirst && { group: publisherGroup(body) }),
  }));
};

/**
 * Returns the webhook that an operational event is about, which does not get it; undefined for other events, and for a large event. Masthead's own
 * events are small, but the bus accepts any name.
 */
const subjectOf = (body: EventBody): unknown => {
  if (!operationalEvents.includes(body.event) || body.parts !== undefined) return undefined;
  const { webhook, delivery } = payloadOf(body) as {
    readonly webhook?: { readonly current?: { readonly id?: unknown } };
    readonly delivery?: { readonly current?: { readonly webhook_id?: unknown } };
  };
  return webhook?.current?.id ?? delivery?.current?.webhook_id;
};
