/** The sweep with an index that lags behind the table, like DynamoDB's: every due item is sent once. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DueKey, dueShards } from '../../shared/due/due-index.ts';
import { type SweepPorts, sweep } from '../../shared/due/sweep.ts';
import type { Key } from '../../shared/table/table-key.ts';

const second = 1000;
const start = Date.parse('2026-01-01T00:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => vi.useRealTimers());

interface Row {
  readonly pk: string;
  /** The due times in the order of their changes. */
  readonly moves: { readonly at: number; readonly due_at: string }[];
}

/** Returns an index with that many due items per shard; it shows changes after `lagMs`, and each read takes 10 ms. */
const given = (perShard: number, lagMs: number) => {
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    Array.from({ length: perShard }, (_item, index): Row => {
      const due_at = new Date(start - 3600 * second + index).toISOString();
      return { pk: `WEBHOOK#${shard}-${index}`, moves: [{ at: 0, due_at }] };
    }),
  );
  const rows = new Map(shards.flat().map((row) => [row.pk, row]));
  const sent: string[] = [];
  const ages: number[] = [];
  const shownAt = ({ moves }: Row) => moves.filter(({ at }) => at + lagMs <= Date.now()).at(-1)?.due_at ?? '';
  const ports: SweepPorts = {
    pageOfDue: async (shard, until, limit, after) => {
      vi.setSystemTime(Date.now() + 10);
      const placeOf = ({ due_at, pk }: { due_at: string; pk: string }) => `${due_at} ${pk}`;
      const behind = after === undefined ? '' : placeOf(after as DueKey);
      const due = (shards[shard] ?? [])
        .map((row) => ({ pk: row.pk, sk: 'DELIVERY#', due_at: shownAt(row) }))
        .filter((key) => key.due_at <= new Date(until).toISOString() && placeOf(key) > behind)
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
      const items = due.slice(0, limit);
      return { items, next: due.length > limit ? (items.at(-1) as Key) : undefined };
    },
    kinds: [{ owns: () => true, sendOn: async (keys) => sent.push(...keys.map(({ pk }) => pk)) }],
    postpone: async ({ pk, due_at }, until) => {
      const moves = rows.get(pk)?.moves;
      if (moves?.at(-1)?.due_at === due_at) moves.push({ at: Date.now(), due_at: new Date(until).toISOString() });
    },
    onOldest: (ageMs) => ages.push(ageMs),
    onFault: (error) => {
      throw error;
    },
  };
  return { ports, sent, ages };
};

describe('the sweep', () => {
  it.each([0, 200, second])(
    'sends every due item once, even if the index shows changes only after %i ms',
    async (lagMs) => {
      const { ports, sent } = given(700, lagMs);
      expect(await sweep(ports, start + 45 * second)).toBe(700 * dueShards);
      expect(new Set(sent).size).toBe(700 * dueShards);
      expect(sent).toHaveLength(700 * dueShards);
    },
  );

  it('reports how long the oldest item has been due, and reports nothing if no item is due', async () => {
    const { ports, ages } = given(150, 0);
    await sweep(ports, start + 45 * second);
    expect(ages).toEqual([3600 * second]);
    vi.setSystemTime(start + 60 * second);
    await sweep(ports, start + 105 * second);
    expect(ages).toHaveLength(1);
  });

  it('finds the oldest item among all shards', async () => {
    const { ports, ages } = given(0, 0);
    const hours = (shard: number) => (shard === 3 ? 5 : 1);
    const pageOfDue: SweepPorts['pageOfDue'] = async (shard) => {
      const due_at = new Date(start - hours(shard) * 3600 * second).toISOString();
      return { items: [{ pk: `WEBHOOK#${shard}`, sk: 'DELIVERY#', due_at }], next: undefined };
    };
    await sweep({ ...ports, pageOfDue }, start + 45 * second);
    expect(ages).toEqual([5 * 3600 * second]);
  });

  it('sends nothing again in the next run', async () => {
    const { ports, sent } = given(150, second);
    await sweep(ports, start + 45 * second);
    vi.setSystemTime(start + 60 * second);
    expect(await sweep(ports, start + 105 * second)).toBe(0);
    expect(sent).toHaveLength(150 * dueShards);
  });

  it('stops at its deadline, and the next run sends the rest', async () => {
    const { ports, sent } = given(700, second);
    const first = await sweep(ports, start + 500);
    expect(first).toBeLessThan(700 * dueShards);
    vi.setSystemTime(start + 60 * second);
    await sweep(ports, start + 105 * second);
    expect(new Set(sent).size).toBe(700 * dueShards);
  });

  it('postpones items that cannot be sent by a minute, and sends the others', async () => {
    const { ports, sent } = given(10, 0);
    const faults: unknown[] = [];
    const isBad = ({ pk }: Key) => pk.endsWith('-3');
    const kinds = [
      { owns: isBad, sendOn: () => Promise.reject(new Error('no queue')) },
      ...ports.kinds.map((kind) => ({ ...kind, owns: (key: Key) => !isBad(key) })),
    ];
    const faulty = { ...ports, kinds, onFault: (error: unknown) => faults.push(error) };
    expect(await sweep(faulty, start + 45 * second)).toBe(9 * dueShards);
    expect(faults).toHaveLength(dueShards);
    vi.setSystemTime(start + 60 * second);
    expect(await sweep(ports, start + 105 * second)).toBe(dueShards);
    expect(new Set(sent).size).toBe(10 * dueShards);
  });

  it('postpones at most 32 items at a time', async () => {
    const { ports } = given(100, 0);
    let running = 0;
    let most = 0;
    const postpone: SweepPorts['postpone'] = async (key, until) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      await ports.postpone(key, until);
      running--;
    };
    await sweep({ ...ports, postpone }, start + 45 * second);
    expect(most).toBe(32);
  });
});
