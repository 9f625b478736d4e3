/** The stage's table in memory: partitions in the order of their sort keys, and the indexes, which lag behind. */
import { type TableIndex, tableIndexes } from '../../../shared/contract.ts';
import type { World } from '../world.ts';
import { SortedKeys } from './sorted-keys.ts';
import { type Attributes, checkSize, itemCopy } from './values.ts';

export interface TableWeather {
  /** Minimum and maximum milliseconds until the index shows a write. */
  indexLagMs: readonly [number, number];
  /** Milliseconds for which an eventually consistent read may return the previous item. */
  staleMs: number;
  /** Minimum and maximum ms by which the time to live deletes too late (AWS: a few days); undefined if never. */
  ttlLateMs: readonly [number, number] | undefined;
}

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

interface Entry {
  /** Undefined if the item was deleted. */
  readonly item: Attributes | undefined;
  readonly bytes: number;
  readonly writtenAt: number;
  readonly before: Attributes | undefined;
}

interface Partition {
  readonly items: Map<string, Entry>;
  readonly keys: SortedKeys;
}

export interface Stretch {
  readonly pk: string;
  /** The first sort key, in the direction of reading. */
  readonly from: string;
  readonly includes: (sortKey: string) => boolean;
  /** Whether the range ends before this key, in the direction of reading. */
  readonly isPast: (sortKey: string) => boolean;
  readonly isDownwards: boolean;
}

export interface IndexEntry extends Key {
  readonly index: TableIndex;
  readonly partition: string;
  readonly at: string;
}

const minute = 60_000;
const separator = '\u0000';
/** Returns the keys of an entry in one string, in the order of the index. */
const placeOf = ({ at, pk, sk }: Omit<IndexEntry, 'index' | 'partition'>): string => [at, pk, sk].join(separator);

export class Table {
  onExpired: () => void = () => {};
  /** Called with the due time (ISO) of each written item that has one. */
  onDue: (at: string) => void = () => {};
  private readonly partitions = new Map<string, Partition>();
  /** By index and partition. */
  private readonly indexes = new Map<string, SortedKeys>();
  /** Pending changes of the indexes, in the order of the writes. */
  private readonly lagging: {
    readonly at: number;
    readonly entry: IndexEntry;
    readonly isIn: boolean;
  }[] = [];
  private lagged = 0;
  /** The items whose time to live may delete them, by the ms at which it does. */
  private readonly expiring = new Map<number, Set<string>>();
  private readonly world: World;
  private readonly weather: TableWeather;

  constructor(world: World, weather: TableWeather) {
    this.world = world;
    this.weather = weather;
  }

  /** Returns the stored item, which must not be changed. An eventually consistent read may return the previous one. */
  read({ pk, sk }: Key, isConsistent = true): Attributes | undefined {
    return this.seen(this.partitions.get(pk)?.items.get(sk), isConsistent);
  }

  /** Stores a copy of an item. @throws ValidationException for one that is too large */
  write(item: Attributes): void {
    const size = { bytes: 0 };
    const stored = itemCopy(item, size);
    checkSize(size);
    const { pk, sk } = stored as unknown as Key;
    let partition = this.partitions.get(pk);
    if (partition === undefined) {
      partition = { items: new Map(), keys: new SortedKeys() };
      this.partitions.set(pk, partition);
    }
    const before = partition.items.get(sk)?.item;
    if (before === undefined) partition.keys.add(sk);
    partition.items.set(sk, { item: stored, bytes: size.bytes, writtenAt: this.world.now, before });
    this.reindex(before, stored);
    if (typeof stored.expires_at === 'number') this.expireLater({ pk, sk }, stored.expires_at * 1000);
  }

  erase({ pk, sk }: Key): void {
    const partition = this.partitions.get(pk);
    const before = partition?.items.get(sk)?.item;
    if (partition === undefined || before === undefined) return;
    partition.keys.delete(sk);
    if (this.weather.staleMs > 0)
      partition.items.set(sk, { item: undefined, bytes: 0, writtenAt: this.world.now, before });
    else partition.items.delete(sk);
    this.reindex(before, undefined);
  }

  *items(
    { pk, from, includes, isPast, isDownwards }: Stretch,
    isConsistent: boolean,
  ): Generator<{ item: Attributes; bytes: number }> {
    const partition = this.partitions.get(pk);
    if (partition === undefined) return;
    for (const sk of partition.keys.from(from, isDownwards)) {
      if (isPast(sk)) return;
      const entry = partition.items.get(sk);
      const item = this.seen(entry, isConsistent);
      if (item !== undefined && entry !== undefined && includes(sk)) yield { item, bytes: entry.bytes };
    }
  }

  *entries(index: TableIndex, { pk: partition, from, includes, isPast, isDownwards }: Stretch): Generator<IndexEntry> {
    this.catchUp();
    for (const place of this.indexes.get(index + separator + partition)?.from(from, isDownwards) ?? []) {
      const [at = '', pk = '', sk = ''] = place.split(separator);
      if (isPast(at)) return;
      if (includes(at)) yield { index, partition, at, pk, sk };
    }
  }

  /** Returns the ISO time of the next due item, or an earlier one while the index lags; undefined if none is due. */
  nextDue(): string | undefined {
    this.catchUp();
    const shards = [...this.indexes].filter(([name]) => name.startsWith(`due${separator}`));
    const times = shards.flatMap(([, shard]) => shard.first()?.split(separator)[0] ?? []);
    for (const { entry, isIn } of this.lagging) if (isIn && entry.index === 'due') times.push(entry.at);
    return times.sort()[0];
  }

  /** Plans the deletion of an item, which a later write may postpone. Items of the same minute are deleted at once. */
  private expireLater(key: Key, expiresAt: number): void {
    const { ttlLateMs } = this.weather;
    if (ttlLateMs === undefined) return;
    const at = Math.ceil((expiresAt + this.world.between(...ttlLateMs)) / minute) * minute;
    const keys = this.expiring.get(at);
    if (keys !== undefined) {
      keys.add(placeOf({ at: '', ...key }));
      return;
    }
    const first = new Set([placeOf({ at: '', ...key })]);
    this.expiring.set(at, first);
    this.world.after(at - this.world.now, () => {
      this.expiring.delete(at);
      for (const text of first) this.expire(text);
    });
  }

  private expire(text: string): void {
    const [, pk = '', sk = ''] = text.split(separator);
    const { expires_at } = this.read({ pk, sk }) ?? {};
    if (typeof expires_at !== 'number' || expires_at * 1000 > this.world.now) return;
    this.erase({ pk, sk });
    this.onExpired();
  }

  private seen(entry: Entry | undefined, isConsistent: boolean): Attributes | undefined {
    if (entry === undefined || isConsistent || this.world.now - entry.writtenAt >= this.weather.staleMs)
      return entry?.item;
    return this.world.chance(0.5) ? entry.before : entry.item;
  }

  private reindex(before: Attributes | undefined, after: Attributes | undefined): void {
    for (const index of tableIndexes) {
      const [old, fresh] = [entryOf(index, before), entryOf(index, after)];
      if (old?.partition === fresh?.partition && old?.at === fresh?.at) continue;
      if (index === 'due' && fresh !== undefined) this.onDue(fresh.at);
      const at = Math.max(this.lagged, this.world.now + this.world.between(...this.weather.indexLagMs));
      this.lagged = at;
      if (old !== undefined) this.lagging.push({ at, entry: old, isIn: false });
      if (fresh !== undefined) this.lagging.push({ at, entry: fresh, isIn: true });
    }
  }

  private catchUp(): void {
    let done = 0;
    for (; done < this.lagging.length; done++) {
      const change = this.lagging[done];
      if (change === undefined || change.at > this.world.now) break;
      const { index, partition } = change.entry;
      const name = index + separator + partition;
      const places = this.indexes.get(name) ?? new SortedKeys();
      this.indexes.set(name, places);
      if (change.isIn) places.add(placeOf(change.entry));
      else places.delete(placeOf(change.entry));
    }
    this.lagging.splice(0, done);
  }
}

const entryOf = (index: TableIndex, item: Attributes | undefined): IndexEntry | undefined => {
  const { [index]: partition, [`${index}_at`]: at, pk, sk } = item ?? {};
  return typeof partition === 'string' && typeof at === 'string'
    ? { index, partition, at, pk: String(pk), sk: String(sk) }
    : undefined;
};
