/** The webhooks that the member can see, with their integrations: names for lists, and choices for filters. */
import { type QueryState, useQuery } from '../use-query.ts';
import { get, isPreloaded } from './client.ts';
import { type Overview, type Period, readOverview } from './overview.ts';
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

const directoryOf = (integrations: readonly Integration[]): Directory => {
  const webhooks = integrations.flatMap((integration) => integration.webhooks ?? []);
  return { integrations, webhooks: new Map(webhooks.map((webhook) => [webhook.id, webhook])) };
};

const readDirectory = async (signal: AbortSignal): Promise<Directory> => {
  const known = [...created.keys()];
  const first = isPreloaded('/admin/overview/?period=day') ? await readOverview('day', signal) : undefined;
  const integrations = first?.integrations ?? (await readIntegrations(signal));
  // This answer has those that were created before it was asked for, unless they have been deleted.
  for (const id of known) created.delete(id);
  return directoryOf(integrations);
};

const readIntegrations = async (signal: AbortSignal): Promise<readonly Integration[]> => {
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
  return integrations;
};

/** All webhooks are much to read, and change seldom: the longest pause, in ms. */
const slowestMs = 5 * 60_000;

/** @param everyMs how often to read again, at most; by default only once */
export const useDirectory = (everyMs?: number): QueryState<Directory> => {
  const { data, ...state } = useQuery('directory', readDirectory, everyMs, slowestMs);
  return { ...state, data: data && withCreated(data) };
};

/** Returns the overview of a period with its directory. */
export const useOverview = (period: Period): QueryState<Overview & { readonly directory: Directory }> => {
  const load = async (signal: AbortSignal) => {
    const known = [...created.keys()];
    const overview = await readOverview(period, signal);
    const directory = directoryOf(overview.integrations ?? (await readIntegrations(signal)));
    for (const id of known) created.delete(id);
    return { ...overview, directory };
  };
  const { data, ...state } = useQuery(`overview ${period}`, load, 10_000, slowestMs);
  return { ...state, data: data && { ...data, directory: withCreated(data.directory) } };
};
