/** Replaces the files of `shared/table/` that call DynamoDB: returns the benchmark's webhooks and events at once, and accepts every write. */
import { brotliCompressSync } from 'node:zlib';
import { isId } from '../../shared/foundation/ids.ts';
import { webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import { payload, secret } from './bare-loop.ts';

interface Key {
  readonly pk: string;
  readonly sk: string;
}

export const target = { url: '' };
/** The options of the webhooks; undefined for webhooks without options. */
export const given: { options: object | undefined } = { options: undefined };
const revision = 'r1';
/** Counts the recorded deliveries, which proves that the function recorded them. */
export const written = { items: 0 };

const webhooks = new Map<string, object>();
/** The payload as stored: compressed. */
const brotli = brotliCompressSync(JSON.stringify(payload));

const itemOf = ({ pk, sk }: Key): object | undefined => {
  const id = webhookOfKey({ pk, sk });
  if (id !== undefined) {
    const known = webhooks.get(sk) ?? { pk, sk, ...webhookOf(id) };
    webhooks.set(sk, known);
    return given.options === undefined ? known : { ...known, options_revision: revision };
  }
  if (sk === 'OPTIONS')
    return { pk, sk, webhook_id: pk.slice('OPTIONS#'.length), revision, options: JSON.stringify(given.options) };
  if (sk !== 'EVENT') return undefined;
  return {
    pk,
    sk,
    id: pk,
    publisher: 'bench',
    event: 'post.published',
    created_at: '2026-11-21T09:00:00.000Z',
    brotli,
    owner: '',
  };
};

const webhookOf = (id: string): object => ({
  id,
  event: 'post.published',
  target_url: target.url,
  name: null,
  secret,
  api_version: 'v6.0',
  integration_id: '0'.repeat(24),
  status: 'available',
  last_triggered_at: new Date().toISOString(),
  last_triggered_status: '200',
  last_triggered_error: null,
  created_at: '',
  updated_at: '',
});

export const getMany = async (keys: readonly Key[]): Promise<object[]> => {
  const items: object[] = [];
  for (const key of keys) {
    const item = itemOf(key);
    if (item !== undefined) items.push(item);
  }
  return items;
};
export const get = async (key: Key): Promise<object | undefined> => itemOf(key);
export const putMany = async (items: readonly object[]): Promise<void> => {
  written.items += items.length;
};
export const put = async (): Promise<void> => {
  written.items++;
};
/** Counts the deliveries in a cohort's item. */
export const write = async (_key: Key, { set = {} }: { set?: object }): Promise<void> => {
  written.items += Object.keys(set).filter(isId).length;
};
export const update = async (_key: Key, { set }: { set?: object }): Promise<object> => ({ ...set });
export const remove = async (): Promise<void> => {};
export const query = async (): Promise<object> => ({ items: [], next: undefined });
/** The ten webhooks of a cohort differ in the last two characters of their ids. */
export const queryAll = async (pk: string, { between }: { between?: [string, string] }): Promise<object[]> => {
  const found: object[] = [];
  if (between === undefined) return found;
  const [first, last] = between.map((sk) => Number.parseInt(sk.slice(-4), 16));
  if (first === undefined || last === undefined) return found;
  for (let number = first; number <= last; number++) {
    if (number % 256 > 9) continue;
    const item = itemOf({ pk, sk: `${between[0].slice(0, -4)}${number.toString(16).padStart(4, '0')}` });
    if (item !== undefined) found.push(item);
  }
  return found;
};
export const countItems = async (): Promise<number> => 0;
export const transact = async (): Promise<void> => {};
