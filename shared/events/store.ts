/** Where event bodies lie in the table. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { second, systemClock } from '../foundation/clock.ts';
import { getMany } from '../table/batch.ts';
import { allOf, anyOf, below, type Condition, exists, is, missing, type Value } from '../table/condition.ts';
import { tryWrite } from '../table/conditional.ts';
import { get, put, update } from '../table/item.ts';
import { distinct, type Item, type Key } from '../table/table-key.ts';
import { bodyHash, type EventBody, type Place } from './event.ts';
import { maxPayload } from './parts.ts';

const prefix = 'EVENT_BODY#';

export const eventBodyKey = (hash: string): Key => ({ pk: `${prefix}${hash}`, sk: 'EVENT' });

/** Returns the hash in the key of an event's body; undefined for other items. */
export const hashOfEventBody = ({ pk, sk }: Key): string | undefined =>
  sk === 'EVENT' ? pk.slice(prefix.length) : undefined;

/** A stored body; `payload` is missing if it is compressed. */
type StoredBody = Omit<EventBody, 'payload'> & {
  readonly payload?: string;
  readonly gzip?: Uint8Array;
};

/** A payload of at least this many characters is stored compressed: writes and storage are priced by size. */
const shortestCompressed = 512;

const itemOf = (hash: string, { payload, ...body }: EventBody): Item => ({
  ...eventBodyKey(hash),
  ...body,
  ...(payload.length < shortestCompressed ? { payload } : { gzip: gzipSync(payload) }),
});

/** Returns the body of an item. */
export const eventBodyOf = (item: object): EventBody => {
  const { gzip, payload = '', ...body } = item as StoredBody;
  if (gzip === undefined) return { ...body, payload };
  return { ...body, payload: gunzipSync(gzip, { maxOutputLength: maxPayload }).toString() };
};

/** Reads an event by the hash of its publisher and id; undefined for none. An expired one may still be returned. */
export const readEventBody = async (hash: string): Promise<EventBody | undefined> => {
  const item = await get(eventBodyKey(hash));
  return item && eventBodyOf(item);
};

/** Reads these events, without expired ones. */
export const readEventBodies = async (
  events: readonly { readonly publisher: string; readonly id: string }[],
): Promise<EventBody[]> => {
  const items = await getMany(distinct(events.map(({ publisher, id }) => eventBodyKey(bodyHash(publisher, id)))));
  return items.map(eventBodyOf).filter(({ expires_at }) => expires_at * second > systemClock());
};

/** Stores a body and returns it; returns the event that is already stored, unless it has expired. */
export const keepEventBody = async (hash: string, body: EventBody): Promise<EventBody> => {
  // DynamoDB deletes expired items up to two days late.
  const isFree = anyOf(missing(), below('expires_at', Math.floor(systemClock() / second)));
  const { refusal } = await tryWrite(put(itemOf(hash, body), isFree));
  const found = refusal?.found();
  return found === undefined ? body : eventBodyOf(found);
};

/** Moves the cursor of an event's fan-out, unless another run has moved it since it was read. */
export const moveCursor = async (hash: string, from: EventBody['next_page'], to: Place | 'none'): Promise<void> => {
  const isAsRead: Condition = from === undefined ? missing('next_page') : is('next_page', from as Value);
  await tryWrite(update(eventBodyKey(hash), { set: { next_page: to as Value } }, allOf(exists(), isAsRead)));
};
