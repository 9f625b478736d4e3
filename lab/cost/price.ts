/** AWS's list prices, one dated file for each region: each price with AWS's page, and where it was seen if not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

export const regions = ['us-east-1', 'eu-central-1'] as const;
export type Region = (typeof regions)[number];

const price = v.object({
  usd: v.number(),
  /** The number of units that cost `usd`. */
  per: v.number(),
  unit: v.string(),
  /** AWS's page of the price. */
  source: v.string(),
  /** A page that confirms it, with its date; null if none was found: the price is from memory, and AWS's page has to be read. */
  seen: v.nullable(v.object({ url: v.string(), date: v.string() })),
});

const schema = v.object({
  region: v.picklist(regions),
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
    /** Of an alarm; one on an expression counts as one for each of its metrics. */
    alarms: price,
    customMetrics: price,
    keys: price,
    dashboards: price,
    transferOut: price,
    busEvents: price,
    apiDestinations: price,
  }),
});

export type PriceList = v.InferOutput<typeof schema>;
export type PriceName = keyof PriceList['prices'];

export const priceList = (region: Region): PriceList =>
  v.parse(schema, JSON.parse(readFileSync(join(import.meta.dirname, 'prices', `${region}.json`), 'utf8')));

/** Returns US dollars for so many units. */
export const costOf = ({ prices }: PriceList, name: PriceName, units: number): number =>
  (units * prices[name].usd) / prices[name].per;
