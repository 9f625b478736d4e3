/** Where event bodies lie in the table. */
import { second, systemClock } from '../foundation/clock.ts';
import { getMany } from '../table/batch.ts';
import { anyOf, below, missing } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import { bodyHash, type EventBody } from './event.ts';

export const eventBodyKey = (hash: string): Key => ({ pk: `EVENT_BODY#${hash}`, sk: 'EVENT' });

export const readEventBody = (hash: string): Promise<EventBody | undefined> => get<EventBody>(eventBodyKey(hash));

/** Reads these events, without expired ones. */
export const readEventBodies = async (
  events: readonly { readonly publisher: string; readonly id: string }[],
): Promise<EventBody[]> => {
  // DynamoDB refuses a batch that names a key twice.
  const hashes = new Set(events.map(({ publisher, id }) => bodyHash(publisher, id)));
  const bodies = await getMany<EventBody>([...hashes].map(eventBodyKey));
  return bodies.filter(({ expires_at }) => expires_at * second > systemClock());
};

/** Stores a body and returns it; returns the one that is stored already, unless that has expired. */
export const keepEventBody = async (hash: string, body: EventBody): Promise<EventBody> => {
  // DynamoDB deletes expired items up to two days late.
  const isFree = anyOf(missing(), below('expires_at', Math.floor(systemClock() / second)));
  const { refusal } = await tryWrite(put({ ...eventBodyKey(hash), ...body }, isFree));
  return refusal?.found<EventBody>() ?? body;
};
