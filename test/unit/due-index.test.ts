/** The index of due items, tested with an embedded DynamoDB. */
import { describe, expect, it } from 'vitest';
import { ownTable } from '../support/parts-table.ts';

Object.assign(process.env, ownTable());
const { dueAt, dueShards, pageOfDue, postpone } = await import('../../shared/due/due-index.ts');
const { putMany } = await import('../../shared/table/batch.ts');
const { get } = await import('../../shared/table/item.ts');

const noon = Date.parse('2026-11-21T12:00:00Z');
const at = (sk: string) => ({ pk: 'p', sk });

describe('the index shard of an item', () => {
  it('is the same in every release', () => {
    const key = { pk: 'WEBHOOK#650000000000000000000001', sk: 'DELIVERY#01JD' };
    expect(dueAt(key, noon)).toEqual({ due: 'DUE#6', due_at: '2026-11-21T12:00:00.000Z' });
  });

  it('can be any of the shards', () => {
    const shards = Array.from({ length: 500 }, (_, number) => dueAt(at(String(number)), noon).due);
    expect(new Set(shards)).toEqual(new Set(Array.from({ length: dueShards }, (_, shard) => `DUE#${shard}`)));
  });
});

describe('a due item', () => {
  it('is found in its shard once its time has come, page by page, oldest first', async () => {
    const due = (ms: number, sk: string) => ({ ...at(sk), ...dueAt(at('the same shard'), ms) });
    await putMany([due(noon + 1, 'later'), due(noon, 'now'), due(noon - 1, 'before'), at('never')]);
    const shard = Number(dueAt(at('the same shard'), noon).due.slice('DUE#'.length));
    const first = await pageOfDue(shard, noon, 1, undefined);
    expect(first.items).toMatchObject([{ ...at('before'), due_at: new Date(noon - 1).toISOString() }]);
    const second = await pageOfDue(shard, noon, 10, first.next);
    expect(second.items).toMatchObject([{ ...at('now'), due_at: new Date(noon).toISOString() }]);
    expect(second.next).toBeUndefined();
    expect(await pageOfDue((shard + 1) % dueShards, noon, 10, undefined)).toEqual({ items: [], next: undefined });
  });

  it('is postponed unless its time has changed since the index showed it', async () => {
    const key = at('postponed');
    await putMany([{ ...key, ...dueAt(key, noon) }]);
    const shown = { ...key, due_at: new Date(noon).toISOString() };
    await postpone(shown, noon + 60_000);
    await postpone(shown, noon + 90_000);
    expect(await get(key)).toEqual({ ...key, ...dueAt(key, noon + 60_000) });
  });
});
