/** Reads a list page by page: the first page at once, one more on request, and all of them again after a change. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Page } from './api/resources.ts';
import { type QueryState, useQuery } from './use-query.ts';

export interface Pages<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

export interface PagesState<Item> extends QueryState<Pages<Item>> {
  readonly loadMore: () => void;
}

export type ReadPage<Item> = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<Page & { readonly items: readonly Item[] }>;

/** Reads up to `count` pages. */
export const readPages = async <Item>(
  readPage: ReadPage<Item>,
  count: number,
  signal: AbortSignal,
): Promise<Pages<Item>> => {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < count; read++) {
    const page = await readPage(cursor, signal);
    items.push(...page.items);
    cursor = page.meta.pagination.next ?? undefined;
    if (cursor === undefined) break;
  }
  return { items, hasMore: cursor !== undefined };
};

/** @param everyMs how often to read again; by default only once */
export const usePages = <Item>(key: string, readPage: ReadPage<Item>, everyMs?: number): PagesState<Item> => {
  const [wanted, setWanted] = useState({ key, count: 1 });
  const count = wanted.key === key ? wanted.count : 1;
  const query = useQuery(key, (signal) => readPages(readPage, count, signal), everyMs);
  const { reload } = query;
  useEffect(() => {
    if (count > 1) reload();
  }, [count, reload]);
  const loadMore = useCallback(() => setWanted({ key, count: count + 1 }), [key, count]);
  return { ...query, loadMore };
};
