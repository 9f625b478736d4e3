/** AWS's list prices, one dated file per region. Each price names AWS's page, and where the price was seen if that page was not readable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

export const regions = ['us-east-1', 'eu-central-1'] as const;
export type Region = (typeof regions)[number];

const price = v.object({
  usd: v.number(),
  /** How many units cost `usd`. */
  per: v.number(),
  unit: v.string(),
  /** AWS's page of the price. */
  source: v.string(),
  /** A dated page that confirms the price. Null if none was found: the price is then from memory, and you have to read AWS's page. */
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
    /** Of an alarm; an alarm on an expression is billed once for each of its metrics. */
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

/** Returns the US dollars for a number of units. */
export const costOf = ({ prices }: PriceList, name: PriceName, units: number): number =>
  (units * prices[name].usd) / prices[name].per;
