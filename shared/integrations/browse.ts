/** What clients see when they look at integrations: as many as fit into an answer, each with what they ask to include. */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import type { WebhookResource } from '../webhooks/webhook.ts';
import { type ApiKeyPointer, type Integration, presentApiKey, presentIntegration } from './integration.ts';
import type { IntegrationResponse } from './response.ts';

type Query = Readonly<Record<string, string | undefined>>;

export interface Included {
  readonly webhooks: boolean;
  readonly api_keys: boolean;
}

/** What `?include=` names, comma separated; what it names besides is ignored, as Ghost does. */
export const readIncluded = ({ include = '' }: Query): Included => {
  const names = include.split(',').map((name) => name.trim().toLowerCase());
  return { webhooks: names.includes('webhooks'), api_keys: names.includes('api_keys') };
};

/** Integrations on a page at most; what Ghost's `limit=all` means since version 6. */
export const mostIntegrations = 100;

export interface BrowsePorts {
  readonly listKeys: (id: IntegrationId) => Promise<readonly ApiKeyPointer[]>;
  readonly listWebhookIds: (id: IntegrationId, limit: number, after?: WebhookId) => Promise<readonly WebhookId[]>;
  /** As clients see them, in any order. */
  readonly showWebhooks: (ids: readonly WebhookId[]) => Promise<readonly WebhookResource[]>;
}

/** Webhooks shown of one integration at a time: 500 of the longest make 1.3 MB, and a Lambda answers 6 MB at most. */
export const mostWebhooks = 500;
/** Webhooks on a page of integrations after which it ends, so that it stays below 4 MB. */
const mostWebhooksOfPage = 1000;

/** One integration with what was asked for; of its webhooks a page from behind `after`, and the `next` of that page. */
export const showIntegration = async (
  ports: BrowsePorts,
  integration: Integration,
  included: Included,
  after?: WebhookId,
): Promise<{ integration: IntegrationResponse; next: WebhookId | null }> => {
  const [keys, ids] = await Promise.all([
    included.api_keys ? ports.listKeys(integration.id) : undefined,
    included.webhooks ? ports.listWebhookIds(integration.id, mostWebhooks + 1, after) : undefined,
  ]);
  const shown = ids?.slice(0, mostWebhooks);
  const webhooks = shown && inOrder(shown, await ports.showWebhooks(shown));
  return {
    integration: presentIntegration(integration, {
      webhooks,
      api_keys: keys?.map((key) => presentApiKey(integration.id, key)),
    }),
    next: ids !== undefined && ids.length > mostWebhooks ? (shown?.at(-1) ?? null) : null,
  };
};

/** The first of these integrations, as many as fit into an answer, each with its newest webhooks where they were asked for. */
export const showIntegrations = async (
  ports: BrowsePorts,
  integrations: readonly Integration[],
  included: Included,
): Promise<IntegrationResponse[]> => {
  const shown: IntegrationResponse[] = [];
  let webhooks = 0;
  for (const integration of integrations) {
    if (webhooks >= mostWebhooksOfPage) break;
    const { integration: next } = await showIntegration(ports, integration, included);
    webhooks += next.webhooks?.length ?? 0;
    shown.push(next);
  }
  return shown;
};

const inOrder = (ids: readonly WebhookId[], webhooks: readonly WebhookResource[]): WebhookResource[] => {
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
