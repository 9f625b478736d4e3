/** Where event bodies and lists of subscribers lie in the table. */
import { missing } from '../table/condition.ts';
import { ConditionFailed, get, put } from '../table/item.ts';
import type { Key } from '../table/key.ts';
import { query } from '../table/query.ts';
import { subscribersOf } from '../webhooks/keys.ts';
import type { Subscription } from '../webhooks/store.ts';
import type { EventBody } from './event.ts';

export const eventBodyKey = (hash: string): Key => ({ pk: `EVENT_BODY#${hash}`, sk: 'EVENT' });

export const readEventBody = (hash: string): Promise<EventBody | undefined> => get<EventBody>(eventBodyKey(hash));

/** Keeps a body unless one is kept already, and gives the one that is kept. */
export const keepEventBody = async (hash: string, body: EventBody): Promise<EventBody> => {
  try {
    await put({ ...eventBodyKey(hash), ...body }, missing());
    return body;
  } catch (error) {
    // The condition failed, so there is an item: DynamoDB gives it with the failure.
    if (error instanceof ConditionFailed && error.found !== undefined) return error.found as unknown as EventBody;
    throw error;
  }
};

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
