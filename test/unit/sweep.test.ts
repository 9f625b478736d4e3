/** The sweep with an index that lags behind the table, like DynamoDB's: every due item is sent once. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DueKey } from '../../shared/due/due-index.ts';
import type { DueHandler } from '../../shared/due/sweep.ts';
import type { Key } from '../../shared/table/table-key.ts';

vi.mock('../../shared/due/due-index.ts', async (original) => ({
  ...(await original<object>()),
  pageOfDue: vi.fn(),
  postpone: vi.fn(),
  forget: vi.fn(),
}));
vi.mock('../../shared/aws/metrics.ts', () => ({ measure: vi.fn() }));
const { dueShards, forget, pageOfDue, postpone } = await import('../../shared/due/due-index.ts');
const { sweep } = await import('../../shared/due/sweep.ts');
const { measure } = await import('../../shared/aws/metrics.ts');
const { log } = await import('../../shared/aws/log.ts');

const second = 1000;
const start = Date.parse('2026-01-01T00:00:00.000Z');

const faults = vi.spyOn(log, 'error').mockImplementation(() => {});
vi.spyOn(log, 'warn').mockImplementation(() => {});
beforeEach(() => {
  vi.clearAllMocks();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => vi.useRealTimers());

/** A handler whose items stay due until their work is done. */
const staying = (send: DueHandler['send']): DueHandler => ({ send, staysDue: true });

interface Row {
  readonly pk: string;
  readonly sk: string;
  readonly moves: { readonly at: number; readonly due_at: string }[];
}

/** Returns an index with that many due items per shard; it shows changes after `lagMs`, and each read takes 10 ms. */
const given = (perShard: number, lagMs: number, kindOf = (_index: number) => 'DELIVERY') => {
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    Array.from({ length: perShard }, (_item, index): Row => {
      const due_at = new Date(start - 3600 * second + index).toISOString();
      return { pk: `WEBHOOK#${shard}-${index}`, sk: `${kindOf(index)}#${index}`, moves: [{ at: 0, due_at }] };
    }),
  );
  const rows = new Map(shards.flat().map((row) => [row.pk, row]));
  const sent: string[] = [];
  const shownAt = ({ moves }: Row) => moves.filter(({ at }) => at + lagMs <= Date.now()).at(-1)?.due_at ?? '';
  vi.mocked(pageOfDue).mockImplementation(async (shard, until, limit, after) => {
    vi.setSystemTime(Date.now() + 10);
    const placeOf = ({ due_at, pk }: { due_at: string; pk: string }) => `${due_at} ${pk}`;
    const behind = after === undefined ? '' : placeOf(after as DueKey);
    const due = (shards[shard] ?? [])
      .map((row) => ({ pk: row.pk, sk: row.sk, due_at: shownAt(row) }))
      .filter((key) => key.due_at <= new Date(until).toISOString() && placeOf(key) > behind)
      .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const items = due.slice(0, limit);
    return { items, next: due.length > limit ? (items.at(-1) as Key) : undefined };
  });
  vi.mocked(postpone).mockImplementation(async ({ pk, due_at }, until) => {
    const moves = rows.get(pk)?.moves;
    if (moves?.at(-1)?.due_at === due_at) moves.push({ at: Date.now(), due_at: new Date(until).toISOString() });
  });
  const handlers = { DELIVERY: staying(async (keys) => sent.push(...keys.map(({ pk }) => pk))) };
  return { handlers, sent };
};

describe('the sweep', () => {
  it.each([0, 200, second])(
    'sends every due item once, even if the index shows changes only after %i ms',
    async (lagMs) => {
      const { handlers, sent } = given(700, lagMs);
      expect(await sweep(handlers, start + 45 * second)).toBe(700 * dueShards);
      expect(new Set(sent).size).toBe(700 * dueShards);
      expect(sent).toHaveLength(700 * dueShards);
    },
  );

  it('reports how long the oldest item has been due, and reports nothing if no item is due', async () => {
    const { handlers } = given(150, 0);
    await sweep(handlers, start + 45 * second);
    expect(vi.mocked(measure).mock.calls).toEqual([['OldestDue', 3600 * second]]);
    vi.setSystemTime(start + 60 * second);
    await sweep(handlers, start + 105 * second);
    expect(measure).toHaveBeenCalledTimes(1);
  });

  it('finds the oldest item among all shards', async () => {
    const { handlers } = given(0, 0);
    const hours = (shard: number) => (shard === 3 ? 5 : 1);
    vi.mocked(pageOfDue).mockImplementation(async (shard) => {
      const due_at = new Date(start - hours(shard) * 3600 * second).toISOString();
      return { items: [{ pk: `WEBHOOK#${shard}`, sk: 'DELIVERY#', due_at }], next: undefined };
    });
    await sweep(handlers, start + 45 * second);
    expect(vi.mocked(measure).mock.calls).toEqual([['OldestDue', 5 * 3600 * second]]);
  });

  it('sends nothing again in the next run', async () => {
    const { handlers, sent } = given(150, second);
    await sweep(handlers, start + 45 * second);
    vi.setSystemTime(start + 60 * second);
    expect(await sweep(handlers, start + 105 * second)).toBe(0);
    expect(sent).toHaveLength(150 * dueShards);
  });

  it('stops at its deadline, and the next run sends the rest', async () => {
    const { handlers, sent } = given(700, second);
    const first = await sweep(handlers, start + 500);
    expect(first).toBeLessThan(700 * dueShards);
    vi.setSystemTime(start + 60 * second);
    await sweep(handlers, start + 105 * second);
    expect(new Set(sent).size).toBe(700 * dueShards);
  });

  it('postpones items that cannot be sent by a minute, and sends the others', async () => {
    const { handlers, sent } = given(10, 0, (index) => (index === 3 ? 'REPLAY' : 'DELIVERY'));
    const failing = { ...handlers, REPLAY: staying(() => Promise.reject(new Error('no queue'))) };
    expect(await sweep(failing, start + 45 * second)).toBe(9 * dueShards);
    expect(faults).toHaveBeenCalledTimes(dueShards);
    vi.setSystemTime(start + 60 * second);
    expect(await sweep({ ...failing, REPLAY: handlers.DELIVERY }, start + 105 * second)).toBe(dueShards);
    expect(new Set(sent).size).toBe(10 * dueShards);
  });

  it('handles the others of a page when one item fails, and reports that item as an error once only', async () => {
    const { handlers, sent } = given(100, 0);
    const isPoison = ({ pk }: Key) => pk === 'WEBHOOK#3-42';
    const failing = {
      DELIVERY: staying(async (keys) => {
        if (keys.some(isPoison)) throw new TypeError('a bug');
        await handlers.DELIVERY.send(keys);
      }),
    };
    for (let run = 0; run < 15; run++) {
      vi.setSystemTime(start + run * 60 * second);
      // The index shows handled items again after six minutes, because nothing here ends them.
      expect(await sweep(failing, Date.now() + 45 * second)).toBe(run % 6 === 0 ? 100 * dueShards - 1 : 0);
    }
    expect(new Set(sent).size).toBe(100 * dueShards - 1);
    expect(faults).toHaveBeenCalledTimes(1);
    // The alarm on the oldest due item tells that it is stuck.
    expect(vi.mocked(measure).mock.calls.at(-1)?.[1]).toBeGreaterThan(14 * 60 * second);
  });

  it('reports an item as an error again when it fails after it was handled', async () => {
    let isBroken = true;
    const key = { pk: 'WEBHOOK#again', sk: 'DELIVERY#', due_at: new Date(start - second).toISOString() };
    vi.mocked(pageOfDue).mockImplementation(async (shard) => ({ items: shard === 0 ? [key] : [], next: undefined }));
    const handlers = {
      DELIVERY: staying(async () => {
        if (isBroken) throw new Error('no grant');
      }),
    };
    const end = start + 45 * second;
    for (const broken of [true, true, false, true]) {
      isBroken = broken;
      await sweep(handlers, end);
    }
    expect(faults).toHaveBeenCalledTimes(2);
  });

  it('gives up dividing pages when everything fails, and postpones all', async () => {
    given(100, 0);
    const handle = vi.fn(() => Promise.reject(new Error('no queue')));
    expect(await sweep({ DELIVERY: staying(handle) }, start + 45 * second)).toBe(0);
    expect(vi.mocked(postpone)).toHaveBeenCalledTimes(100 * dueShards);
    expect(handle.mock.calls.length).toBeLessThanOrEqual(33 * dueShards);
  });

  it('reports items that nobody handles, and sends the others', async () => {
    const { handlers, sent } = given(2, 0, (index) => (index === 0 ? 'UNKNOWN' : 'DELIVERY'));
    expect(await sweep(handlers, start + 45 * second)).toBe(dueShards);
    expect(faults).toHaveBeenCalledTimes(dueShards);
    expect(sent).toHaveLength(dueShards);
  });

  it('reports a shard that cannot be read as an error, and handles the others', async () => {
    const { handlers, sent } = given(1, 0);
    vi.mocked(pageOfDue).mockRejectedValueOnce(new Error('no table'));
    expect(await sweep(handlers, start + 45 * second)).toBe(dueShards - 1);
    expect(sent).toHaveLength(dueShards - 1);
    expect(faults).toHaveBeenCalledTimes(1);
  });

  it('makes at most 32 writes at a time', async () => {
    const { handlers } = given(200, 0);
    let running = 0;
    let most = 0;
    vi.mocked(postpone).mockImplementation(async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    });
    await sweep(handlers, start + 45 * second);
    expect(most).toBe(32);
  });

  it('looks again at no item whose message was sent, unless its worker has still to do the work', async () => {
    const { handlers, sent } = given(2, 0);
    vi.mocked(forget).mockResolvedValue();
    await sweep({ DELIVERY: { ...handlers.DELIVERY, staysDue: false } }, start + 45 * second);
    expect(forget).toHaveBeenCalledTimes(sent.length);
    expect(postpone).not.toHaveBeenCalled();
  });
});
