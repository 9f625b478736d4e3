/**
 * The list of deliveries. The newest page is read every second, older pages when the reader scrolls to them, or one after the other while few of many
 * deliveries match.
 */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useQuery } from '../use-query.ts';
import { get } from './client.ts';
import type { Delivery, Page } from './resources.ts';

/** Milliseconds between an answer and the next request: together with the request's duration, a new delivery shows within two seconds. */
const interval = 1000;

export type Filter = Readonly<
  Partial<
    Record<'status' | 'event' | 'webhook_id' | 'event_id' | 'delivery_id' | 'since' | 'until', string | undefined>
  >
>;

/** The event in the filter, and the webhooks whose deliveries the list does not have. */
export interface ListedEvent {
  readonly event: string;
  readonly created_at: string;
  readonly title: string | null;
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
  get('/admin/deliveries/', { ...filter, cursor, limit: '100' }, signal);

/**
 * Returns the first delivery that matches; undefined if none does, or if the search was aborted.
 * @param onProgress gets the ISO time up to which nothing was found
 */
export const findFirst = async (
  filter: Filter,
  onProgress: (searchedTo: string) => void,
  signal: AbortSignal,
): Promise<Delivery | undefined> => {
  let cursor: string | undefined;
  do {
    const { deliveries, meta } = await readPage(filter, cursor, signal);
    if (deliveries[0] !== undefined) return deliveries[0];
    if (meta.pagination.searched_to !== undefined) onProgress(meta.pagination.searched_to);
    cursor = meta.pagination.next ?? undefined;
  } while (cursor !== undefined && !signal.aborted);
  return undefined;
};

export interface LiveDeliveries {
  /** Newest first; undefined before the first answer. */
  readonly rows: readonly Delivery[] | undefined;
  readonly error: unknown;
  readonly hasMore: boolean;
  /** ISO time: how far a search for few of many deliveries went; undefined if every page so far was full, or the last. */
  readonly searchedTo: string | undefined;
  readonly isSearching: boolean;
  /** Undefined unless the list is of one event. */
  readonly event: ListedEvent | undefined;
  readonly stop: () => void;
  /** Reads the next page, and continues a search that was stopped. */
  readonly loadMore: () => void;
  readonly reload: () => void;
}

interface Older {
  readonly key: string;
  readonly rows: readonly Delivery[];
  /** Where the list continues; undefined before the first older page, which follows the newest one. */
  readonly end?: Page['meta']['pagination'];
}

/** A search goes on until it has found so many. */
const enough = 100;

/** Returns the deliveries that match the filter. */
export const useLiveDeliveries = (filter: Filter): LiveDeliveries => {
  const key = JSON.stringify(filter);
  const { data, error, reload } = useQuery(key, (signal) => readPage(filter, undefined, signal), interval);
  const [older, setOlder] = useState<Older>({ key, rows: [] });
  const [failure, setFailure] = useState<unknown>();
  const [stopped, setStopped] = useState<string>();
  const isLoading = useRef(false);
  const own = older.key === key ? older : { key, rows: [] };
  // Deliveries that drop out of the newest page stay in the list.
  useEffect(() => {
    if (data === undefined) return;
    setOlder((before) => {
      const base = before.key === key ? before : { key, rows: [] };
      const rows = merged(data.deliveries, base.rows);
      return rows === before.rows ? before : { ...base, rows };
    });
  }, [data, key]);
  const { next, searched_to: searchedTo } = own.end ?? data?.meta.pagination ?? {};
  const hasMore = next !== undefined && next !== null;
  const loadMore = useCallback(() => {
    setStopped(undefined);
    if (isLoading.current || next === undefined || next === null) return;
    isLoading.current = true;
    readPage(filter, next)
      .then((page) => {
        setFailure(undefined);
        setOlder((before) =>
          before.key === key ? { key, rows: merged(before.rows, page.deliveries), end: page.meta.pagination } : before,
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
    rows: data === undefined && own.rows.length === 0 ? undefined : own.rows.length > 0 ? own.rows : data?.deliveries,
    error: error ?? failure,
    hasMore,
    searchedTo: hasMore ? searchedTo : undefined,
    isSearching,
    event: data?.meta.event,
    stop,
    loadMore,
    reload,
  };
};

/**
 * Merges two lists that are sorted newest first; the first has the newer states. Returns the second list itself if the first adds nothing, and keeps
 * the objects of unchanged deliveries, so that they are not rendered again.
 */
const merged = (fresh: readonly Delivery[], known: readonly Delivery[]): readonly Delivery[] => {
  const oldest = fresh.at(-1)?.id ?? '';
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
