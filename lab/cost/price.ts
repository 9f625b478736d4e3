/** AWS's list prices, a dated file per region. Each names AWS's page, and where it was seen if that was unreadable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const price = v.object({
  usd: v.number(),
  /** How many units cost `usd`. */
  per: v.number(),
  unit: v.string(),
  source: v.string(),
});

const schema = v.object({
  region: v.string(),
  date: v.string(),
  prices: v.object({
    tableWrites: price,
    tableReads: price,
    tableStorage: price,
    tableBackups: price,
    queueRequests: price,
    fairQueueRequests: price,
    apiRequests: price,
    functionRequests: price,
    functionGbSeconds: price,
    logIngestion: price,
    logStorage: price,
    /** Of an alarm; an alarm on an expression is billed once for each of its metrics. */
    alarms: price,
    customMetrics: price,
    keys: price,
    dashboards: price,
    transferOut: price,
  }),
});

export type PriceList = v.InferOutput<typeof schema>;
type PriceName = keyof PriceList['prices'];

/** Reads AWS's list prices of one region. */
export const priceList = (): PriceList =>
  v.parse(schema, JSON.parse(readFileSync(join(import.meta.dirname, 'prices.json'), 'utf8')));

/** Returns the US dollars for a number of units. */
export const costOf = ({ prices }: PriceList, name: PriceName, units: number): number =>
  (units * prices[name].usd) / prices[name].per;
