/** The merged log of several webhooks: its pages show every delivery once, newest first. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { mergeDeliveries } from '../../shared/deliveries/log/merge.ts';
import type { ReadLog } from '../../shared/deliveries/records/log-page.ts';
import { type DeliveryId, idTime, type WebhookId } from '../../shared/foundation/ids.ts';

const hookId = (number: number) => number.toString(16).padStart(24, '0') as WebhookId;

/** A delivery at a second; deliveries of the same second have different ids, because their webhooks differ. */
const delivery = (hook: number, second: number): Delivery =>
  ({
    id: `${idTime(second * 1000)}${hook.toString(16).padStart(12, '0')}`,
    webhook_id: hookId(hook),
    event: second % 3 === 0 ? 'post.edited' : 'post.added',
    expires_at: Number.MAX_SAFE_INTEGER,
  }) as Delivery;

/** A table with these logs, given as the seconds of their deliveries; it counts its queries. */
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

const readAll = async ({ readers }: Pick<ReturnType<typeof given>, 'readers'>, limit: number, filter = {}) => {
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

describe('the pages of a merged log', () => {
  it('show every delivery once, newest first, and never more than the limit', async () => {
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

  it('show exactly the deliveries that the filter matches', async () => {
    await fc.assert(
      fc.asyncProperty(logs, fc.integer({ min: 1, max: 20 }), async (seconds, limit) => {
        const table = given(seconds);
        const found = (await readAll(table, limit, { event: 'post.edited' })).flat();
        expect(found).toEqual(table.all.filter(({ event }) => event === 'post.edited'));
      }),
      { numRuns: 100 },
    );
  });

  it('need one query per webhook and at most four more, even if one webhook has all deliveries', async () => {
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
  ])('with %i webhooks and a limit of %i begin with %i deliveries per webhook', async (hooks, limit, size) => {
    const table = given(Array.from({ length: hooks }, () => [1]));
    await mergeDeliveries(table.readers, {}, limit, undefined);
    expect(new Set(table.queries.limits)).toEqual(new Set([size]));
  });

  it('read more of a log only if everything read from it is already shown', async () => {
    const from = (first: number) => Array.from({ length: 500 }, (_, second) => first + second);
    const table = given([from(1001), from(1)]);
    const { deliveries } = await mergeDeliveries(table.readers, {}, 100, undefined);
    expect(deliveries).toEqual(table.all.slice(0, 100));
    expect(table.queries.count).toBe(2 + 1);
  });

  it('stop early if nothing matches for long, say how far they searched, and continue on the next page', async () => {
    const newest = 1_000_000;
    const searched: number[] = [];
    // A log with a delivery each second, of which the table finds that none matches.
    const endless: ReadLog = async ({ limit, after, where }) => {
      expect(where).toBeDefined();
      const from = after === undefined ? newest + 1 : Number.parseInt(after.slice(0, 12), 16) / 1000;
      searched.push(limit);
      const last = from - limit;
      return { deliveries: [], next: last <= 1 ? undefined : delivery(0, last).id };
    };
    const { deliveries, next, searchedTo } = await mergeDeliveries([endless], { event_id: 'none' }, 10, undefined);
    expect(deliveries).toEqual([]);
    const depth = searched.reduce((sum, count) => sum + count, 0);
    expect(depth).toBe(61 * 4000);
    expect(searchedTo).toBe((newest + 1 - depth) * 1000);
    const further = await mergeDeliveries([endless], { event_id: 'none' }, 10, next ?? undefined);
    expect(further.searchedTo).toBe((newest + 1 - 2 * depth) * 1000);
    expect(await readAll({ readers: [endless] }, 10, { event_id: 'none' })).toEqual([[], [], [], [], []]);
  });

  it('consist of one empty page if there are no webhooks', async () => {
    expect(await readAll(given([]), 10)).toEqual([[]]);
  });
});
