/** The subscribers of an event, in one partition, read page by page in the order of their webhooks' ids. */
import type { EventBody } from '../events/event.ts';
import { covers } from '../foundation/event-selection.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { query } from '../table/query.ts';
import { subscriberKey, subscriberPrefix, subscribersOf } from './table-keys.ts';

/** One webhook that subscribes to an event: everything that fan-out needs to know about it. */
export interface Subscriber {
  readonly webhook_id: WebhookId;
  readonly integration_id: IntegrationId;
  /** Present if the webhook has left the list for a narrower one. */
  readonly left?: Left;
}

/** Marks a subscriber of a list that its webhook has left for a narrower one, which a fan-out may have read before. */
export interface Left {
  /** ISO time. Events that were accepted later find the webhook in its new list. */
  readonly at: string;
  /** What the webhook selects since then. */
  readonly event: string;
}

/** Returns whether a subscriber of a list gets an event. */
export const isFor = ({ left }: Subscriber, { event, created_at }: Pick<EventBody, 'event' | 'created_at'>): boolean =>
  left === undefined || (created_at <= left.at && covers(left.event, event));

export interface SubscriberPage {
  readonly subscribers: readonly Subscriber[];
  /** The last webhook; undefined on the last page. */
  readonly next: WebhookId | undefined;
}

/** Reads a page of an event's subscribers, those behind the webhook `after`. */
export const listSubscribers = async (
  event: string,
  limit: number,
  after: WebhookId | undefined,
): Promise<SubscriberPage> => {
  const page = await query<Subscriber>(subscribersOf(event), {
    beginsWith: subscriberPrefix,
    limit,
    after: after && subscriberKey(event, after),
  });
  return { subscribers: page.items, next: page.next?.sk.slice(subscriberPrefix.length) as WebhookId | undefined };
};
