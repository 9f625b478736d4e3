/** `npm --prefix lab run cost`: the model with figures that are easy to check, the page and the report. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Measured, readMeasured, type Use } from './measured.ts';
import { costOfDeliveries, inBatchesOf, total, withMessages } from './model.ts';
import { costPage } from './page.ts';
import { priceList } from './price.ts';
import { nameOf, profiles, publishings } from './profiles.ts';
import { costReport, customMetrics } from './report.ts';

const prices = priceList('us-east-1');

/** A million deliveries with a row of 1 KB each, in batches of ten that take a second at 1 GB. */
const use: Use = {
  receivers: 'healthy',
  fanOut: 10,
  payloadKb: 2,
  publishing: 'single',
  events: 0,
  deliveries: 1_000_000,
  delivered: 1_000_000,
  refused: 0,
  transferBytes: 2e9,
  logBytes: 0,
  historyBytes: 1e9,
  functions: {
    'deliveries/deliver': {
      invocations: 100_000,
      ms: 1e8,
      readUnits: 2_000_000,
      writeUnits: 1_100_000,
      queueRequests: 200_000,
    },
  },
};
const duration = { function: 'deliveries/deliver', payloadKb: 2, memoryMb: 512 };
const measured: Measured = {
  date: '',
  revision: '',
  profiles: [use],
  durations: [
    { ...duration, units: 1, ms: 1000 },
    { ...duration, units: 10, ms: 1000 },
  ],
  calls: [],
};

describe('the cost of a million deliveries', () => {
  it('multiplies units, requests, GB-seconds and bytes by their prices', () => {
    const cost = costOfDeliveries(prices, measured, use);
    expect(cost['table writes']).toBeCloseTo(1.1 * 0.625, 6);
    expect(cost['table reads']).toBeCloseTo(2 * 0.125, 6);
    expect(cost['history of 30 days']).toBeCloseTo(0.25 + 0.2, 6);
    expect(cost.queues).toBeCloseTo(0.2 * (0.4 + 0.1), 6);
    expect(cost.Lambda).toBeCloseTo(0.1 * 0.2 + 50_000 * 0.0000133334, 6);
    expect(cost['transfer out']).toBeCloseTo(2 * 0.09, 6);
    expect(total(cost)).toBeCloseTo(
      Object.values(cost).reduce((sum, usd) => sum + usd, 0),
      6,
    );
  });

  it('includes how events arrive: one per request, ten per request, or over the bus', () => {
    const [single, ten, bus] = publishings.map((publishing) =>
      costOfDeliveries(prices, measured, { ...use, events: 100_000, publishing }),
    );
    expect(single?.['API Gateway or bus']).toBeCloseTo(0.1 * 3.5, 6);
    expect(ten?.['API Gateway or bus']).toBeCloseTo(0.01 * 3.5, 6);
    expect(bus?.['API Gateway or bus']).toBeCloseTo(0.1 * 1, 6);
    expect((bus?.queues ?? 0) - (single?.queues ?? 0)).toBeCloseTo(0.1 * 0.4, 6);
  });

  it('rises in smaller batches, because each further batch needs requests, an invocation, reads and writes', () => {
    const [full, half] = [use, inBatchesOf(use, 5)].map((one) => costOfDeliveries(prices, measured, one));
    expect((half?.queues ?? 0) - (full?.queues ?? 0)).toBeCloseTo(0.2 * 0.5, 6);
    expect((half?.['table writes'] ?? 0) - (full?.['table writes'] ?? 0)).toBeCloseTo(2 * 0.1 * 0.625, 6);
    // The item of the cohort, and five webhooks.
    expect(half?.['table reads']).toBeCloseTo(0.2 * 6 * 0.125, 6);
    expect((half?.Lambda ?? 0) / (full?.Lambda ?? 1)).toBeCloseTo(2, 6);
  });

  it('falls with more messages per batch, because each batch less saves those', () => {
    const published = { ...use, events: 100_000 };
    const [one, five] = [1, 5].map((messages) => costOfDeliveries(prices, measured, withMessages(published, messages)));
    expect((one?.queues ?? 0) - (five?.queues ?? 0)).toBeCloseTo(2 * 0.08 * 0.5, 6);
    expect((one?.['table writes'] ?? 0) - (five?.['table writes'] ?? 0)).toBeCloseTo(0.08 * 0.625, 6);
    // Ten webhooks; each message still reads the item of its cohort.
    expect((one?.['table reads'] ?? 0) - (five?.['table reads'] ?? 0)).toBeCloseTo(10 * 0.08 * 0.125, 6);
    expect((one?.Lambda ?? 0) - (five?.Lambda ?? 0)).toBeGreaterThan(0.08 * 0.2);
  });
});

describe('`npm --prefix lab run cost -- --page`', () => {
  const recorded = readMeasured();

  it.each([
    ['docs/cost.md', costPage],
    ['lab/reports/cost.md', costReport],
  ])('writes %s from the recorded measurement and the prices', (file, write) => {
    expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).toBe(write(recorded));
  });

  it('tells operators which answer time of receivers it assumes, what slow ones cost, and what metrics cost', () => {
    const page = costPage(recorded);
    expect(page).toMatch(/receivers that answer within 50 ms/);
    expect(page).toMatch(/If they take a second, it is \$\d+\.\d\d/);
    expect(page).toMatch(
      new RegExp(`up to ${customMetrics} custom metrics: at most \\$${(customMetrics * 0.3).toFixed(2)} a month`),
    );
  });

  it('uses a measurement that has every profile', () => {
    expect(recorded.profiles.map(nameOf).toSorted()).toEqual(profiles.map(nameOf).toSorted());
  });
});
