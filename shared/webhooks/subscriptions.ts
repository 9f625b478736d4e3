/**
 * The subscribers of an event, in one partition of the table, read page by page in the order of webhook ids. Changing a target URL does not change a
 * webhook's position.
 */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { query } from '../table/query.ts';
import { subscriberKey, subscriberPrefix, subscribersOf } from './table-keys.ts';

/** One webhook that subscribes to an event: everything that fan-out needs to know about it. */
export interface Subscriber {
  readonly webhook_id: WebhookId;
  readonly integration_id: IntegrationId;
}

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
