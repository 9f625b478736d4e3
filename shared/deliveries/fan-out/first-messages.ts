/** Makes the messages for the first attempts of an event's deliveries. */
import { type EventBody, payloadOf, publisherGroup } from '../../events/event.ts';
import { operationalEvents } from '../../foundation/event-names.ts';
import type { Subscriber } from '../../webhooks/subscriptions.ts';
import type { LaneMessage } from '../lanes.ts';
import { pack } from '../records/messages.ts';

interface Page {
  readonly subscribers: readonly Subscriber[];
  readonly isFirst: boolean;
}

/**
 * Returns the messages for a page of subscribers, with the schedule's first delay. On the first page they take their
 * integration's turn, so that hanging receivers delay it alone; on others the publisher's (ADR 26).
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
  const event = { body_hash: hash, event: body.event, event_id: body.id, created_at: body.created_at };
  const delaySeconds = retryAfterSeconds[0] ?? 0;
  const groupOf = ({ integration_id }: Subscriber): string => (isFirst ? integration_id : publisherGroup(body));
  return [...Map.groupBy(wanted, groupOf)].flatMap(([group, ofGroup]) => {
    const ids = ofGroup.map(({ webhook_id }) => webhook_id);
    return pack(event, ids).map((message): LaneMessage => ({ message, lane: 'normal', delaySeconds, group }));
  });
};

/** Returns the webhook that our own event is about, which does not get it. A large event is never our own. */
const subjectOf = (body: EventBody): unknown => {
  if (!operationalEvents.includes(body.event) || body.parts !== undefined) return undefined;
  const { webhook, delivery } = payloadOf(body) as {
    readonly webhook?: { readonly current?: { readonly id?: unknown } };
    readonly delivery?: { readonly current?: { readonly webhook_id?: unknown } };
  };
  return webhook?.current?.id ?? delivery?.current?.webhook_id;
};
