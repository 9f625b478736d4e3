/** `npm --prefix lab run cost`: the model with figures that are easy to check, and the page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { costOfDeliveries, total } from './model.ts';
import { costPage, customMetrics } from './page.ts';
import { priceList } from './price.ts';
import { readUse, type Use } from './use.ts';

const prices = priceList();
const { tableWrites, tableReads, tableStorage, tableBackups, apiRequests, functionGbSeconds, transferOut } =
  prices.prices;

/** A million deliveries with a row of 1 KB each, in batches of ten that take a second at half a GB. */
const use: Use = {
  date: '',
  revision: '',
  events: 100_000,
  deliveries: 1_000_000,
  answerMs: 50,
  transferBytes: 2e9,
  logBytes: 0,
  historyBytes: 1e9,
  functions: {
    'deliveries/deliver': {
      invocations: 100_000,
      ms: 1000,
      readUnits: 2_000_000,
      writeUnits: 1_100_000,
      queueRequests: 200_000,
    },
  },
};

describe('the cost of a million deliveries', () => {
  it('multiplies units, requests, GB-seconds and bytes by their prices', () => {
    const cost = costOfDeliveries(prices, use);
    expect(cost['table writes']).toBeCloseTo(1.1 * tableWrites.usd, 6);
    expect(cost['table reads']).toBeCloseTo(2 * tableReads.usd, 6);
    expect(cost['history of 30 days']).toBeCloseTo(tableStorage.usd + tableBackups.usd, 6);
    expect(cost.queues).toBeCloseTo(0.2 * (0.4 + 0.1), 6);
    expect(cost['API Gateway']).toBeCloseTo(0.1 * apiRequests.usd, 6);
    expect(cost.Lambda).toBeCloseTo(0.1 * 0.2 + 50_000 * functionGbSeconds.usd, 6);
    expect(cost['transfer out']).toBeCloseTo(2 * transferOut.usd, 6);
    expect(total(cost)).toBeCloseTo(
      Object.values(cost).reduce((sum, usd) => sum + usd, 0),
      6,
    );
  });

  it('rises with the time that receivers take, for which Lambda waits', () => {
    const [quick, slow] = [0, 1000].map((moreMs) => costOfDeliveries(prices, use, moreMs));
    expect((slow?.Lambda ?? 0) - (quick?.Lambda ?? 0)).toBeCloseTo(50_000 * functionGbSeconds.usd, 6);
  });
});

describe('docs/cost.md', () => {
  const page = costPage(readUse());

  it('is what `npm --prefix lab run cost -- --page` writes', () => {
    expect(readFileSync(join(import.meta.dirname, '../../docs/cost.md'), 'utf8')).toBe(page);
  });

  it('tells operators which answer time of receivers it assumes, what slow ones cost, and what metrics cost', () => {
    expect(page).toMatch(/receivers that answer within 50 ms/);
    expect(page).toMatch(/If they take a second, it is \$\d+\.\d\d/);
    expect(page).toMatch(
      new RegExp(`up to ${customMetrics} custom metrics: at most \\$${(customMetrics * 0.3).toFixed(2)} a month`),
    );
  });
});
