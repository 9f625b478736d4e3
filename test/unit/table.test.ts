/** The table, tested with an embedded DynamoDB: items, partitions, batches and transactions. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { allOf, exists, is, missing } from '../../shared/table/condition.ts';
import { ownTable } from '../support/parts-table.ts';

Object.assign(process.env, ownTable());
const { getMany, putMany } = await import('../../shared/table/batch.ts');
const { get, put, remove, update, write } = await import('../../shared/table/item.ts');
const { countItems, query, queryAll } = await import('../../shared/table/query.ts');
const { distinct } = await import('../../shared/table/table-key.ts');
const { transact } = await import('../../shared/table/transaction.ts');
const { updateOnce } = await import('../../shared/table/once.ts');

let pk: string;
beforeEach(() => {
  pk = randomUUID();
});
const at = (sk: string) => ({ pk, sk });
const numbered = (count: number) => Array.from({ length: count }, (_, number) => at(String(number).padStart(3, '0')));

describe('an item', () => {
  it('loses undefined values at any depth, and is otherwise read as it was written', async () => {
    await put({ ...at('a'), name: null, nothing: undefined, parts: [{ b: 1, nothing: undefined }] });
    expect(await get(at('a'))).toStrictEqual({ ...at('a'), name: null, parts: [{ b: 1 }] });
  });

  it('is found by its key alone, whatever other attributes are passed', async () => {
    const item = { ...at('a'), n: 1 };
    await put(item);
    expect(await get(item)).toEqual(item);
    expect(await update(item, { set: { n: 2 } })).toEqual({ ...item, n: 2 });
    await remove(item);
    expect(await get(item)).toBeUndefined();
  });

  it('does not change if a condition fails, and is returned with the refusal', async () => {
    const item = { ...at('a'), n: 1 };
    await put(item);
    for (const write of [
      () => put({ ...at('a'), n: 2 }, missing()),
      () => update(at('a'), { set: { n: 2 } }, is('n', 5)),
      () => remove(at('a'), is('n', 5)),
    ]) {
      const refusal = await write().catch((error) => error);
      expect([...refusal.failed]).toEqual([0]);
      expect(refusal.found()).toEqual(item);
    }
    expect(await get(at('a'))).toEqual(item);
  });

  it('cannot be updated if it does not exist; the refusal has no item', async () => {
    const refusal = await update(at('a'), { set: { n: 2 } }, exists()).catch((error) => error);
    expect(refusal.message).toBe('The conditions of the writes 0 did not hold.');
    expect(refusal.found()).toBeUndefined();
  });

  it('is changed or created if there is no condition', async () => {
    for (const n of [1, 2]) {
      await write(at('a'), { add: { n: 1 }, set: { name: 'x' } });
      expect(await get(at('a'))).toEqual({ ...at('a'), n, name: 'x' });
    }
  });

  it('is marked with the request if it is updated with updateOnce', async () => {
    await put({ ...at('a'), n: 1 });
    const tried = await updateOnce<{ n: number }>(at('a'), { set: { n: 2 }, add: { m: 3 } }, is('n', 1));
    expect(tried).toEqual({ written: true, value: { ...at('a'), n: 2, m: 3, changed_by: expect.any(String) } });
    expect(await updateOnce(at('a'), { set: { n: 3 } }, is('n', 1))).toMatchObject({ written: false });
  });
});

describe('a partition', () => {
  const list = async (options?: Parameters<typeof query>[1]) => {
    const { items, next } = await query<{ sk: string }>(pk, options);
    return { found: items.map(({ sk }) => sk), next };
  };
  beforeEach(() => putMany(['a1', 'a2', 'b1', 'b2'].map(at)));

  it('is read in the order of its sort keys; the last page has no next one', async () => {
    expect(await list()).toEqual({ found: ['a1', 'a2', 'b1', 'b2'], next: undefined });
  });

  it('can be read backwards, newest first', async () => {
    expect((await list({ newestFirst: true })).found).toEqual(['b2', 'b1', 'a2', 'a1']);
    expect((await list({ newestFirst: false })).found).toEqual(['a1', 'a2', 'b1', 'b2']);
  });

  it('can be limited to sort keys with a prefix', async () => {
    expect((await list({ beginsWith: 'b' })).found).toEqual(['b1', 'b2']);
  });

  it('can be limited to sort keys between two values, including both', async () => {
    expect((await list({ between: ['a2', 'b1'] })).found).toEqual(['a2', 'b1']);
  });

  it('can be read page by page', async () => {
    const first = await list({ limit: 3 });
    expect(first).toEqual({ found: ['a1', 'a2', 'b1'], next: at('b1') });
    const after = { ...at('b1'), whatever: 1 };
    expect(await list({ limit: 3, after })).toEqual({ found: ['b2'], next: undefined });
  });

  it('can be read completely, over all its pages', async () => {
    const all = await queryAll<{ sk: string }>(pk, { limit: 1, newestFirst: true });
    expect(all.map(({ sk }) => sk)).toEqual(['b2', 'b1', 'a2', 'a1']);
  });

  it('can be counted, even if its items do not fit into one page', async () => {
    expect(await countItems(pk, 'b')).toBe(2);
    const large = 'x'.repeat(390 * 1024);
    for (const sk of ['c1', 'c2', 'c3', 'c4', 'c5']) await put({ ...at(sk), large });
    expect(await countItems(pk, 'c')).toBe(5);
    expect(await countItems(pk, 'd')).toBe(0);
  });

  it('is an empty page if it has no items', async () => {
    expect(await query(randomUUID())).toEqual({ items: [], next: undefined });
    expect(await queryAll(randomUUID())).toEqual([]);
  });
});

describe('many items', () => {
  it('can be written and read in more than one request', async () => {
    const items = numbered(203).map((key) => ({ ...key, n: 1 }));
    await putMany(items);
    const found = await getMany<{ sk: string }>([...items, at('missing')]);
    expect(found.sort((a, b) => (a.sk < b.sk ? -1 : 1))).toEqual(items);
  });

  it('are deduplicated by partition key and sort key', async () => {
    const [one, other] = [at('a'), { pk: `${pk} a`, sk: 'a' }];
    await putMany([one, other]);
    expect(distinct([one, other, { ...one }, at('b')])).toEqual([one, other, at('b')]);
    expect(await getMany(distinct([one, other, { ...one }, at('b')]))).toHaveLength(2);
  });

  it('may be an empty list', async () => {
    await putMany([]);
    expect(await getMany([])).toEqual([]);
  });
});

describe('a transaction', () => {
  it('makes all of its writes', async () => {
    await putMany(['checked', 'changed', 'deleted'].map((sk) => ({ ...at(sk), n: 1 })));
    await transact([
      { kind: 'check', key: at('checked'), condition: is('n', 1) },
      { kind: 'put', item: { ...at('put'), n: 1 }, condition: missing() },
      { kind: 'update', key: at('changed'), change: { add: { n: 1 } }, condition: is('n', 1) },
      { kind: 'delete', key: { ...at('deleted') }, condition: exists() },
    ]);
    expect((await query(pk)).items).toEqual([
      { ...at('changed'), n: 2 },
      { ...at('checked'), n: 1 },
      { ...at('put'), n: 1 },
    ]);
  });

  it('makes none of its writes if a condition fails, and returns the failed ones with their items', async () => {
    const items = ['checked', 'deleted', 'changed'].map((sk) => ({ ...at(sk), n: 1 }));
    await putMany(items);
    const refusal = await transact([
      { kind: 'put', item: at('put') },
      { kind: 'check', key: at('checked'), condition: is('n', 2) },
      { kind: 'update', key: at('missing'), change: { set: { n: 1 } }, condition: allOf(exists(), is('n', 2)) },
      { kind: 'update', key: at('changed'), change: { remove: ['n'] } },
      { kind: 'delete', key: at('deleted'), condition: is('n', 2) },
    ]).catch((error) => error);
    expect([...refusal.failed]).toEqual([1, 2, 4]);
    expect(refusal.message).toBe('The conditions of the writes 1, 2, 4 did not hold.');
    expect([refusal.found(2), refusal.found(4)]).toEqual([undefined, { ...at('deleted'), n: 1 }]);
    expect(await getMany([at('put'), ...items])).toHaveLength(3);
    expect(await get(at('changed'))).toEqual({ ...at('changed'), n: 1 });
  });
});
