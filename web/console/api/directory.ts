/** The webhooks that the member can see, with their integrations: names for lists, and choices for filters. */
import { type QueryState, useQuery } from '../use-query.ts';
import { get } from './client.ts';
import type { Integration, Page, Webhook } from './resources.ts';

export interface Directory {
  readonly integrations: readonly Integration[];
  readonly webhooks: ReadonlyMap<string, Webhook>;
}

/** Webhooks that were created in this tab, until they have been read: what the API answered is known at once. */
const created = new Map<string, Webhook>();

/** Adds a new webhook to what the page knows. */
export const rememberWebhook = (webhook: Webhook): void => {
  created.set(webhook.id, webhook);
};

const withCreated = (directory: Directory): Directory => {
  const missing = [...created.values()].filter(({ id }) => !directory.webhooks.has(id));
  if (missing.length === 0) return directory;
  return {
    integrations: directory.integrations.map((integration) => ({
      ...integration,
      webhooks: [
        ...missing.filter(({ integration_id }) => integration_id === integration.id),
        ...(integration.webhooks ?? []),
      ],
    })),
    webhooks: new Map([...directory.webhooks, ...missing.map((webhook) => [webhook.id, webhook] as const)]),
  };
};

/** Reads all pages of the integrations, each with its webhooks. */
const readDirectory = async (signal: AbortSignal): Promise<Directory> => {
  const known = [...created.keys()];
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
  // This answer has those that were created before it was asked for, unless they have been deleted.
  for (const id of known) created.delete(id);
  const webhooks = integrations.flatMap((integration) => integration.webhooks ?? []);
  return { integrations, webhooks: new Map(webhooks.map((webhook) => [webhook.id, webhook])) };
};

/** @param everyMs how often to read again; by default only once */
export const useDirectory = (everyMs?: number): QueryState<Directory> => {
  const { data, ...state } = useQuery('directory', readDirectory, everyMs);
  return { ...state, data: data && withCreated(data) };
};
