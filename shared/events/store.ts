/** Where event bodies lie in the table. */
import { missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { EventBody } from './event.ts';

export const eventBodyKey = (hash: string): Key => ({ pk: `EVENT_BODY#${hash}`, sk: 'EVENT' });

export const readEventBody = (hash: string): Promise<EventBody | undefined> => get<EventBody>(eventBodyKey(hash));

/** Keeps a body unless one is kept already, and gives the one that is kept. */
export const keepEventBody = async (hash: string, body: EventBody): Promise<EventBody> => {
  const { refusal } = await tryWrite(put({ ...eventBodyKey(hash), ...body }, missing()));
  return refusal?.found<EventBody>() ?? body;
};
