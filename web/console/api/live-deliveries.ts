/**
 * The list of deliveries. While somebody watches, new ones are read every second, and unfinished ones by their ids.
 * Older pages are read when the reader scrolls to them, or one after the other while few of many deliveries match.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useQuery } from '../use-query.ts';
import { get } from './client.ts';
import type { Delivery, Page } from './resources.ts';

/** Milliseconds from an answer to the next request: with its duration, a new delivery shows within two seconds. */
const interval = 1000;

export type Filter = Readonly<
  Partial<
    Record<
      'status' | 'event' | 'webhook_id' | 'event_id' | 'delivery_id' | 'search' | 'since' | 'until',
      string | undefined
    >
  >
>;

/** The event in the filter, and the webhooks whose deliveries the list does not have. */
export interface ListedEvent {
  readonly id: string;
  readonly event: string;
  readonly created_at: string;
  readonly title: string | null;
  readonly resource_id: string | null;
  readonly left_out: readonly { readonly webhook_id: string; readonly part: string }[];
  readonly changed: readonly string[];
  readonly later: readonly string[];
  readonly removed: number | null;
}

type DeliveryPage = Page & {
  readonly deliveries: readonly Delivery[];
  readonly meta: { readonly event?: ListedEvent };
};

const readPage = (filter: Filter, cursor?: string, signal?: AbortSignal): Promise<DeliveryPage> =>
  get('/admin/deliveries/', { ...filter, cursor, include: 'title', limit: '100' }, signal);

/** Reads a page of the list. */
export const readDeliveries = async (filter: Filter, cursor: string | undefined, signal: AbortSignal) => {
  const { deliveries, meta } = await readPage(filter, cursor, signal);
  return { items: deliveries, meta };
};

/** Returns what has this id: a delivery, or an event; undefined if nothing is known to have it. */
export const findById = async (id: string): Promise<Delivery | 'event' | undefined> => {
  const isId = /^[0-9a-f]{24}$/.test(id);
  const [delivery] = isId ? (await readPage({ delivery_id: id })).deliveries : [];
  return delivery ?? ((await readPage({ event_id: id })).meta.event && 'event');
};

export interface LiveDeliveries {
  /** Newest first; undefined before the first answer. */
  readonly rows: readonly Delivery[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  /** ISO time: how far a search for few of many deliveries went; undefined if every page was full, or the last. */
  readonly searchedTo: string | undefined;
  readonly isSearching: boolean;
  /** Undefined unless the list is of one event. */
  readonly event: ListedEvent | undefined;
  readonly stop: () => void;
  /** Reads the next page, and continues a search that was stopped. */
  readonly loadMore: () => void;
  readonly reload: () => void;
}

type Pagination = Page['meta']['pagination'];

interface Listed {
  readonly key: string;
  readonly rows: readonly Delivery[];
  /** Where the list continues; undefined before the first answer. */
  readonly end?: Pagination;
  readonly event?: ListedEvent | undefined;
  /** When its beginning was last read as a whole, in epoch ms. */
  readonly readAt?: number;
}

/** A search goes on until it has found so many. */
const enough = 100;

/** In ms. A delivery is listed when its first attempt ends: so long before the newest row, rows are read again. */
const lateMs = 2 * 60_000;
/** The beginning of the list is read as a whole so often, in ms: for a delivery that was later than that. */
const wholeEveryMs = 5 * 60_000;
/** With more pages of new rows than this, the list begins anew. */
const maxNewPages = 5;
/** Of rows that have not ended. */
const maxAgain = 50;

const isUnfinished = ({ status }: Delivery): boolean => status === 'pending' || status === 'retrying';

type Changes = Pick<Listed, 'rows' | 'end' | 'event' | 'readAt'>;

/** Reads what can have changed in a list: all of it at first, then what is new, and the rows that have not ended. */
const readChanges = async (
  filter: Filter,
  { rows, end, readAt = 0 }: Listed,
  signal: AbortSignal,
): Promise<Changes> => {
  // What became of one event is more than its rows, and a search reads them anyway.
  const isPlain = filter.event_id === undefined && filter.search === undefined;
  if (end === undefined || !isPlain || Date.now() - readAt > wholeEveryMs) return readBeginning(filter, signal);
  const newest = rows[0] === undefined ? readAt : Date.parse(rows[0].created_at);
  const since = new Date(Math.max(newest - lateMs, Date.parse(filter.since ?? '') || 0)).toISOString();
  const unfinished = rows.filter(isUnfinished).slice(0, maxAgain);
  const ids = unfinished.map(({ webhook_id, id }) => `${webhook_id}:${id}`).join();
  const [fresh, again] = await Promise.all([
    readAllPages({ ...filter, since }, signal),
    ids === '' ? undefined : readPage({ delivery_id: ids }, undefined, signal),
  ]);
  return fresh === undefined ? readBeginning(filter, signal) : { rows: [...fresh, ...(again?.deliveries ?? [])] };
};

const readBeginning = async (filter: Filter, signal: AbortSignal): Promise<Changes> => {
  const readAt = Date.now();
  const { deliveries, meta } = await readPage(filter, undefined, signal);
  return { rows: deliveries, end: meta.pagination, event: meta.event, readAt };
};

/** Returns undefined if there are too many pages. */
const readAllPages = async (filter: Filter, signal: AbortSignal): Promise<readonly Delivery[] | undefined> => {
  const rows: Delivery[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < maxNewPages; read++) {
    const page = await readPage(filter, cursor, signal);
    rows.push(...page.deliveries);
    cursor = page.meta.pagination.next ?? undefined;
    if (cursor === undefined) return rows;
  }
  return undefined;
};

/** Adds changes to a list. A beginning that does not reach the known rows replaces them, so that none is missing. */
const withChanges = (before: Listed, { rows, end, event, readAt }: Changes): Listed => {
  const first = before.rows[0]?.id;
  const hasGap = end?.next != null && first !== undefined && !rows.some(({ id }) => id <= first);
  if (before.end === undefined || hasGap)
    return { key: before.key, rows, ...(end && { end }), event, readAt: readAt ?? 0 };
  const all = merged(rows, before.rows);
  return all === before.rows && readAt === undefined
    ? before
    : { ...before, rows: all, ...(readAt && { event, readAt }) };
};

/** Returns the deliveries that match the filter. */
export const useLiveDeliveries = (filter: Filter): LiveDeliveries => {
  const { webhook_id: webhook } = filter;
  const key = `${webhook === undefined ? '' : `/admin/webhooks/${webhook}/`} ${JSON.stringify(filter)}`;
  const [listed, setListed] = useState<Listed>({ key, rows: [] });
  const [failure, setFailure] = useState<unknown>();
  const [stopped, setStopped] = useState<string>();
  const isLoading = useRef(false);
  const own: Listed = listed.key === key ? listed : { key, rows: [] };
  const latest = useRef(own);
  latest.current = own;
  const { data, error, reload } = useQuery(key, (signal) => readChanges(filter, latest.current, signal), interval);
  useEffect(() => {
    if (data !== undefined) setListed((before) => withChanges(before.key === key ? before : { key, rows: [] }, data));
  }, [data, key]);
  const { next, searched_to: searchedTo } = own.end ?? {};
  const hasMore = next !== undefined && next !== null;
  const loadMore = useCallback(() => {
    setStopped(undefined);
    if (isLoading.current || next === undefined || next === null) return;
    isLoading.current = true;
    readPage(filter, next)
      .then((page) => {
        setFailure(undefined);
        setListed((before) =>
          before.key === key
            ? { ...before, rows: merged(before.rows, page.deliveries), end: page.meta.pagination }
            : before,
        );
      }, setFailure)
      .finally(() => {
        isLoading.current = false;
      });
  }, [next, key]);
  const isSearching =
    hasMore && searchedTo !== undefined && own.rows.length < enough && stopped !== key && failure === undefined;
  useEffect(() => {
    if (isSearching) loadMore();
  }, [isSearching, loadMore]);
  const stop = useCallback(() => setStopped(key), [key]);
  return {
    rows: own.end === undefined ? undefined : own.rows,
    error: error ?? failure,
    hasMore,
    searchedTo: hasMore ? searchedTo : undefined,
    isSearching,
    event: own.event,
    stop,
    loadMore,
    reload,
  };
};

/**
 * Merges two lists, the second sorted newest first; the first has the newer states. Keeps the second list, if nothing
 * changes, and the objects of unchanged deliveries, so that they are not rendered again.
 */
const merged = (fresh: readonly Delivery[], known: readonly Delivery[]): readonly Delivery[] => {
  const oldest = fresh.reduce((least, { id }) => (id < least ? id : least), fresh[0]?.id ?? '');
  const end = known.findIndex(({ id }) => id < oldest);
  // Compare only the time span of the first list, because a reader who has scrolled far has thousands of rows.
  const [compared, older] = end < 0 ? [known, []] : [known.slice(0, end), known.slice(end)];
  const byId = new Map(compared.map((row) => [row.id, row]));
  const changed = fresh.filter((row) => {
    const before = byId.get(row.id);
    return before === undefined || JSON.stringify(before) !== JSON.stringify(row);
  });
  if (changed.length === 0) return known;
  for (const row of changed) byId.set(row.id, row);
  return [...[...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)), ...older];
};
