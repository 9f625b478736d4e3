/**
 * The subscribers of an event, in one partition of the table, read page by page in the order of webhook ids. Changing a target URL does not change a
 * webhook's position.
 */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { exists } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { update } from '../table/item.ts';
import { query } from '../table/query.ts';
import { subscriberKey, subscriberPrefix, subscribersOf } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

/** One webhook that subscribes to an event: everything that fan-out needs to know about it. */
export interface Subscriber {
  readonly webhook_id: WebhookId;
  /** Its integration, only for events of Masthead. */
  readonly integration_id?: IntegrationId;
  /** Set if its deliveries take the slow lane; missing for the normal one. */
  readonly lane?: 'slow';
}

export interface SubscriberPage {
  readonly subscribers: readonly Subscriber[];
  /** The last webhook; undefined on the last page. */
  readonly next: WebhookId | undefined;
}

/** How many subscribers a fan-out begins with: few, so that the first deliveries wait for few others. */
export const firstPageSize = 50;

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

/** Reads the newest subscribers of an event, newest first. */
export const newestSubscribers = async (event: string, limit: number): Promise<Subscriber[]> => {
  const options = { beginsWith: subscriberPrefix, newestFirst: true, limit };
  return (await query<Subscriber>(subscribersOf(event), options)).items;
};

/** Chooses the lane for a webhook's further deliveries; returns false if it no longer subscribes to this event. */
export const setLane = async (
  { id, event }: Pick<Webhook, 'id' | 'event'>,
  lane: 'normal' | 'slow',
): Promise<boolean> => {
  const change = lane === 'slow' ? { set: { lane } } : { remove: ['lane'] };
  return (await tryWrite(update(subscriberKey(event, id), change, exists()))).written;
};
