/** The webhooks that the member can see, with their integrations: names for lists, and choices for filters. */
import { type QueryState, useQuery } from '../use-query.ts';
import { get } from './client.ts';
import type { Integration, Page, Webhook } from './resources.ts';

export interface Directory {
  readonly integrations: readonly Integration[];
  readonly webhooks: ReadonlyMap<string, Webhook>;
}

/** Reads all pages of the integrations, each with its webhooks. */
const readDirectory = async (signal: AbortSignal): Promise<Directory> => {
  const integrations: Integration[] = [];
  let cursor: string | undefined;
  do {
    const page: Page & { readonly integrations: readonly Integration[] } = await get(
      '/admin/integrations/',
      { include: 'webhooks', cursor },
      signal,
    );
    integrations.push(...page.integrations);
    cursor = page.meta.pagination.next ?? undefined;
  } while (cursor !== undefined);
  const webhooks = integrations.flatMap((integration) => integration.webhooks ?? []);
  return { integrations, webhooks: new Map(webhooks.map((webhook) => [webhook.id, webhook])) };
};

/** @param everyMs how often to read again; by default only once */
export const useDirectory = (everyMs?: number): QueryState<Directory> => useQuery('directory', readDirectory, everyMs);
