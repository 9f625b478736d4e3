/** Counts deliveries by reading their list, so that each number equals what its link lists. */
import { get } from './client.ts';
import type { Filter } from './live-deliveries.ts';
import type { Delivery, Page } from './resources.ts';

export interface Counted {
  readonly rows: readonly Delivery[];
  readonly hasMore: boolean;
}

/** The maximum that is counted: beyond it, the exact number makes no difference to a reader. */
const maxPages = 5;

/** Reads the deliveries that match the filter, up to 500. @throws ApiError, OfflineError */
export const readCounted = async (filter: Filter, signal: AbortSignal, pages = maxPages): Promise<Counted> => {
  const rows: Delivery[] = [];
  let cursor: string | undefined;
  for (let read = 0; read < pages; read++) {
    const query = { ...filter, cursor, limit: '100' };
    const page = await get<Page & { deliveries: readonly Delivery[] }>('/admin/deliveries/', query, signal);
    rows.push(...page.deliveries);
    cursor = page.meta.pagination.next ?? undefined;
    if (cursor === undefined) break;
  }
  return { rows, hasMore: cursor !== undefined };
};
