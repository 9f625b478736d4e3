/** The subscribers of an event, in one partition of the table, read page by page. */
import type { WebhookId } from '../foundation/ids.ts';
import { query } from '../table/query.ts';
import { subscribersOf } from './table-keys.ts';

/** One webhook's place in the list of an event's subscribers: all that fan-out needs to know of it. */
export interface Subscription {
  readonly webhook_id: WebhookId;
  /** Scheme, host and port that deliveries go to. */
  readonly receiver: string;
}

/** A page of an event's subscribers; `after` and `next` are sort keys. */
export const listSubscribers = async (
  event: string,
  limit: number,
  after: string | undefined,
): Promise<{ subscribers: Subscription[]; next: string | undefined }> => {
  const pk = subscribersOf(event);
  const page = await query<Subscription>(pk, { limit, after: after === undefined ? undefined : { pk, sk: after } });
  return { subscribers: page.items, next: page.next?.sk };
};
