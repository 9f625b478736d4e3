/** The messages of the first attempts of an event's deliveries: one for several webhooks of a cohort, and one for each other webhook. */
import { type EventBody, payloadOf } from '../../events/event.ts';
import { operationalEvents } from '../../foundation/event-names.ts';
import type { CohortId } from '../../foundation/ids.ts';
import { countOutcome } from '../../stats/count.ts';
import type { Subscriber } from '../../webhooks/subscriptions.ts';
import { type CohortMessage, type DeliveryMessage, firstMessage } from '../delivery.ts';
import type { LaneMessage } from '../lanes.ts';

/** The maximum webhooks of a message: an invocation posts to all of them at the same time. */
const maxWebhooks = 10;

/**
 * To so many subscribers the payload is sent, so that their first attempts need not read it: ten messages of 4 KiB are billed as one request
 * of 64 KiB. Those of more subscribers share a read.
 */
const maxWithPayload = 10;

interface Page {
  readonly subscribers: readonly Subscriber[];
  /** The messages of the first page count the event as accepted, and have the payload if there are few. */
  readonly isFirst: boolean;
}

/**
 * Returns the messages for a page of an event's subscribers, in their lanes and with the first delay of the schedule.
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
  const delaySeconds = retryAfterSeconds[0] ?? 0;
  return together(wanted).map((group, position) => ({
    message: { ...messageFor(group, event), ...(isFirst && position === 0 && { first: true as const }) },
    lane: group[0].lane ?? 'normal',
    delaySeconds,
  }));
};

/** Returns how many deliveries these messages stand for. */
export const deliveriesIn = (messages: readonly LaneMessage[]): number =>
  messages.reduce((sum, { message }) => sum + ('webhook_ids' in message ? message.webhook_ids.length : 1), 0);

type Group = [Subscriber, ...Subscriber[]];

/** Groups the subscribers of a cohort that take the normal lane; in the slow one each delivery takes its own turn. */
const together = (subscribers: readonly Subscriber[]): Group[] => {
  const groups: Group[] = [];
  const open = new Map<CohortId, Group>();
  for (const subscriber of subscribers) {
    const cohort = subscriber.lane === 'slow' ? undefined : subscriber.cohort;
    const group = cohort && open.get(cohort);
    if (group !== undefined && group.length < maxWebhooks) {
      group.push(subscriber);
      continue;
    }
    const begun: Group = [subscriber];
    groups.push(begun);
    if (cohort !== undefined) open.set(cohort, begun);
  }
  return groups;
};

const messageFor = (
  [{ webhook_id, cohort }, ...others]: Group,
  event: Pick<DeliveryMessage, 'body_hash' | 'event' | 'event_id' | 'created_at' | 'payload'>,
): DeliveryMessage | CohortMessage => {
  if (cohort !== undefined && others.length > 0)
    return { cohort, webhook_ids: [webhook_id, ...others.map((other) => other.webhook_id)], ...event };
  return firstMessage({ cohort, ...event }, webhook_id, Date.parse(event.created_at));
};

/**
 * Returns the webhook that an operational event is about, which does not get it; undefined for other events, and for a large one: those of
 * Masthead are small, but the bus accepts any name.
 */
const subjectOf = (body: EventBody): unknown => {
  if (!operationalEvents.includes(body.event) || body.parts !== undefined) return undefined;
  const { webhook, delivery } = payloadOf(body) as {
    readonly webhook?: { readonly current?: { readonly id?: unknown } };
    readonly delivery?: { readonly current?: { readonly webhook_id?: unknown } };
  };
  return webhook?.current?.id ?? delivery?.current?.webhook_id;
};
