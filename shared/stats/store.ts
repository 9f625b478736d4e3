/** Stores counts in the table: one item per five minutes and shard, to which counts are added. */
import { day, minute, second, timestamp } from '../foundation/clock.ts';
import { withFormat } from '../foundation/format.ts';
import { write } from '../table/item.ts';
import { queryAll } from '../table/query.ts';
import type { Key } from '../table/table-key.ts';
import { type Counts, outcomes } from './counts.ts';

/** The length of a slot: what is counted within it shares an item. */
export const slotMs = 5 * minute;

/** The longest period of the API is a week. */
const keptMs = 8 * day;

/**
 * A partition bears 1,000 writes a second (DynamoDB limit), and each publish and batch of deliveries is one: 10,000
 * publishes, by about 200 environments, fill ten. Three times as many leave room for chance.
 */
const shards = 32;
/** All batches of an environment add to the same items, so that a stage with few environments has few items to read. */
const ownShard = Math.floor(Math.random() * shards);

const keyOf = (shard: number, slot: number): Key => ({ pk: `STATS#${shard}`, sk: `SLOT#${timestamp(slot)}` });

/** Latencies are attributes such as `ms_12`: the bucket of the histogram. */
const latencyPrefix = 'ms_';

/** Adds counts to the slot that starts at this time, in epoch ms. */
export const addCounts = async (slot: number, added: ReadonlyMap<string, number>): Promise<void> => {
  const set = withFormat({ expires_at: Math.floor((slot + keptMs) / second) });
  await write(keyOf(ownShard, slot), { add: Object.fromEntries(added), set });
};

/** Returns the name under which a latency is counted. */
export const latencyName = (bucket: number): string => `${latencyPrefix}${bucket}`;

/** Counts with the beginning of their slot, in epoch ms. */
export type Slot = Counts & { readonly start: number };

/** Reads the slots from one time to another, both in epoch ms and included; there may be several with one start. */
export const readSlots = async (since: number, until: number): Promise<Slot[]> => {
  const between = [keyOf(0, since).sk, keyOf(0, until).sk] as const;
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      queryAll<Key & Record<string, unknown>>(keyOf(shard, 0).pk, { between }),
    ),
  );
  return pages.flat().map(slotOf);
};

const slotOf = ({ sk, ...attributes }: Key & Readonly<Record<string, unknown>>): Slot => {
  const counted = (name: string): number => Number(attributes[name] ?? 0);
  const [accepted, delivered, retrying, failed, held] = outcomes.map(counted) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const latency = Object.entries(attributes).flatMap(([name, count]): [number, number][] =>
    name.startsWith(latencyPrefix) ? [[Number(name.slice(latencyPrefix.length)), Number(count)]] : [],
  );
  return {
    start: Date.parse(sk.slice('SLOT#'.length)),
    accepted,
    delivered,
    retrying,
    failed,
    held,
    latency: new Map(latency),
  };
};
