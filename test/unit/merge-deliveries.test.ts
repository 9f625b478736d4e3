/** One log of several webhooks: the pages have every delivery once, newest first. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import type { ReadLog } from '../../shared/deliveries/records/log-page.ts';
import { type DeliveryId, idTime, type WebhookId } from '../../shared/foundation/ids.ts';

const hookId = (number: number) => number.toString(16).padStart(24, '0') as WebhookId;

/** A delivery at a second; of two at the same time the ids differ by their webhook, as in the table. */
const delivery = (hook: number, second: number): Delivery =>
  ({
    id: `${idTime(second * 1000)}${hook.toString(16).padStart(12, '0')}`,
    webhook_id: hookId(hook),
    event: second % 3 === 0 ? 'post.edited' : 'post.added',
    expires_at: Number.MAX_SAFE_INTEGER,
  }) as Delivery;

/** A table with these logs, given as the seconds of their deliveries, and the number of queries that it has had. */
const given = (logs: readonly (readonly number[])[]) => {
  const rows = logs.map((seconds, hook) =>
    [...new Set(seconds)].sort((a, b) => b - a).map((second) => delivery(hook, second)),
  );
  const queries = { count: 0, limits: [] as number[] };
  const readers = rows.map(
    (log): ReadLog =>
      async ({ limit, after, newestFirst }) => {
        queries.count++;
        queries.limits.push(limit);
        const behind = (newestFirst ? log : log.toReversed()).filter(({ id }) => after === undefined || id < after);
        const deliveries = behind.slice(0, limit);
        return { deliveries, next: behind.length > limit ? deliveries.at(-1)?.id : undefined };
      },
  );
  const all = rows.flat().sort((one, other) => (one.id < other.id ? 1 : -1));
  return { readers, queries, all };
};

const readAll = async ({ readers }: ReturnType<typeof given>, limit: number, filter = {}) => {
  const pages: Delivery[][] = [];
  let after: DeliveryId | undefined;
  do {
    const { deliveries, next } = await mergeDeliveries(readers, filter, limit, after);
    pages.push(deliveries);
    after = next ?? undefined;
  } while (after !== undefined);
  return pages;
};

const logs = fc.array(fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 150 }), { maxLength: 12 });

describe('pages of a merged log', () => {
  it('have every delivery once, newest first, none longer than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 100 }), async (seconds, limit) => {
        const table = given(seconds);
        const pages = await readAll(table, limit);
        expect(pages.flat()).toEqual(table.all);
        for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 200 },
    );
  });

  it('have exactly the deliveries that the filter matches', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 20 }), async (seconds, limit) => {
        const table = given(seconds);
        const found = (await readAll(table, limit, { event: 'post.edited' })).flat();
        expect(found).toEqual(table.all.filter(({ event }) => event === 'post.edited'));
      }),
      { numRuns: 100 },
    );
  });

  it('cost one query for each webhook and a few more, also where all deliveries are of one', async () => {
    const busy = given([
      Array.from({ length: 500 }, (_, second) => second + 1),
      ...Array.from({ length: 999 }, () => []),
    ]);
    const { deliveries } = await mergeDeliveries(busy.readers, {}, 100, undefined);
    expect(deliveries).toEqual(busy.all.slice(0, 100));
    expect(busy.queries.count).toBeLessThanOrEqual(1000 + 4);
  });

  it.each([
    [1, 10, 20],
    [1, 100, 100],
    [3, 100, 67],
    [100, 100, 2],
    [1000, 100, 2],
  ])(
    'of %i webhooks and %i deliveries begin with %i deliveries of each: twice the page, 2 to 100',
    async (hooks, limit, size) => {
      const table = given(Array.from({ length: hooks }, () => [1]));
      await mergeDeliveries(table.readers, {}, limit, undefined);
      expect(new Set(table.queries.limits)).toEqual(new Set([size]));
    },
  );

  it('read a log further only if all its deliveries so far are listed', async () => {
    const from = (first: number) => Array.from({ length: 500 }, (_, second) => first + second);
    const table = given([from(1001), from(1)]);
    const { deliveries } = await mergeDeliveries(table.readers, {}, 100, undefined);
    expect(deliveries).toEqual(table.all.slice(0, 100));
    expect(table.queries.count).toBe(2 + 1);
  });

  it('stop reading when a filter matches nothing for too long, and continue in the next page', async () => {
    const table = given([Array.from({ length: 20_000 }, (_, second) => second + 1), [5]]);
    const { deliveries, next } = await mergeDeliveries(table.readers, { event_id: 'none' }, 10, undefined);
    expect(deliveries).toEqual([]);
    expect(next).not.toBeNull();
    expect(table.queries.count).toBe(2 + 60);
    expect((await readAll(table, 10, { event_id: 'none' })).flat()).toEqual([]);
  });

  it('are one empty page without webhooks', async () => {
    expect(await readAll(given([]), 10)).toEqual([[]]);
  });
});
