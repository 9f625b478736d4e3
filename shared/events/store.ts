/** Where event bodies lie in the table. */
import { missing } from '../table/condition.ts';
import { ConditionFailed, get, put } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
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
