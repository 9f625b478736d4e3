/** What an open console costs on AWS: the counted read units of its requests, at the pace of an untouched page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pauseAfter } from '../../web/console/pace.ts';
import { freshStack } from '../support/parts.ts';
import { webhookCalls } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { existing } = webhookCalls(stack);

const webhooks = 40;
const monthMs = 30 * 24 * 3_600_000;

const { prices } = JSON.parse(readFileSync(join(import.meta.dirname, '../../lab/cost/prices.json'), 'utf8'));
const price = (name: string): number => prices[name].usd / prices[name].per;

/** Returns how often data is read in a month on a page that nobody touches, while it changes all the time. */
const roundsOf = (everyMs: number, atMostMs?: number): number => {
  let [rounds, at] = [0, 0];
  let pauseMs: number | undefined;
  while (at < monthMs) {
    pauseMs = pauseAfter({ everyMs, atMostMs, pauseMs, hasChanged: true, untouchedMs: at, tookMs: 0 });
    at += pauseMs;
    rounds += 1;
  }
  return rounds;
};

/** Dollars of a request: the gateway, 0.1 s of an invocation at one GB, half a kilobyte of log, and what it reads. */
const perRequest = (readUnits: number): number =>
  price('apiRequests') +
  price('functionRequests') +
  0.1 * price('functionGbSeconds') +
  0.5e-6 * price('logIngestion') +
  readUnits * price('tableReads');

const counted = async (name: 'overview/read' | 'stats/read' | 'deliveries/list-all', path: string): Promise<number> => {
  const units = (): number => stack.counts().functions[name]?.readUnits ?? 0;
  // The first request of a key also writes when it was last used.
  await stack.call(name, { path, key: keys.owner });
  const before = units();
  expect((await stack.call(name, { path, key: keys.owner })).status).toBe(200);
  return units() - before;
};

/** The facts of so many webhooks are on the overview, each from five requests: five incidents, and what is disabled. */
const troubles = 6;
/** A hundred deliveries of a kilobyte. */
const pageUnits = 25;

it('is at most a dollar a month for a log, or an overview with six problems, that is always open', async () => {
  let id = '';
  for (let number = 0; number < webhooks; number++)
    ({ id } = await existing(keys.integration, {
      event: 'post.published',
      target_url: `https://example.org/${number}`,
    }));
  const since = new Date().toISOString();
  const overview = perRequest(await counted('overview/read', '/admin/overview/?period=day'));
  const stats = perRequest(await counted('stats/read', '/admin/stats/?period=day'));
  const log = perRequest(await counted('deliveries/list-all', `/admin/deliveries/?since=${since}&include=title`));
  const page = perRequest((await counted('deliveries/list-all', `/admin/deliveries/?webhook_id=${id}`)) + pageUnits);
  const trouble = 5 * page * roundsOf(60_000, 30 * 60_000);
  const month = {
    overview: overview * roundsOf(10_000, 300_000) + stats * roundsOf(5000, 120_000) + troubles * trouble,
    log: log * roundsOf(1000),
  };
  expect(month.overview).toBeLessThanOrEqual(1);
  expect(month.log).toBeLessThanOrEqual(1);
});
