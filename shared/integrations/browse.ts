/** Presents integrations: as many as fit into a response, with the requested inclusions. */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { includes } from '../http/query.ts';
import type { ListedWebhook } from '../webhooks/webhook.ts';
import {
  type ApiKeyPointerWithUse,
  type Integration,
  type IntegrationResource,
  presentApiKey,
  presentIntegration,
} from './integration.ts';

export const included = includes(
  ['webhooks', 'api_keys'],
  'What to include: `webhooks`, `api_keys`, or both, separated by a comma.',
  'webhooks',
  'api_keys',
  'webhooks,api_keys',
);
type Included = readonly ('webhooks' | 'api_keys')[];

export interface BrowsePorts {
  readonly listKeys: (id: IntegrationId) => Promise<readonly ApiKeyPointerWithUse[]>;
  readonly listWebhookIds: (id: IntegrationId, limit: number, after?: WebhookId) => Promise<readonly WebhookId[]>;
  /** Returns the webhooks as clients see them, in any order. */
  readonly showWebhooks: (ids: readonly WebhookId[]) => Promise<readonly ListedWebhook[]>;
}

/** Webhooks of one integration per response. 500 of the longest take 1.3 MB, and a Lambda can return 6 MB. */
export const maxWebhooks = 500;
/** A page of integrations ends after this many webhooks, which keeps it below 4 MB. */
const maxWebhooksOfPage = 1000;

/** Shows one integration. Its webhooks come in pages: `after` starts one, `next` is the start of the next. */
export const showIntegration = async (
  ports: BrowsePorts,
  integration: Integration,
  include: Included,
  after?: WebhookId,
): Promise<{ integration: IntegrationResource; next: WebhookId | null }> => {
  const [keys, ids] = await Promise.all([
    include.includes('api_keys') ? ports.listKeys(integration.id) : undefined,
    include.includes('webhooks') ? ports.listWebhookIds(integration.id, maxWebhooks + 1, after) : undefined,
  ]);
  const shown = ids?.slice(0, maxWebhooks);
  return {
    integration: presentIntegration(integration, {
      webhooks: shown && inOrder(shown, await ports.showWebhooks(shown)),
      api_keys: keys?.map((key) => presentApiKey(integration.id, key)),
    }),
    next: ids !== undefined && ids.length > maxWebhooks ? (shown?.at(-1) ?? null) : null,
  };
};

/** Shows as many integrations as fit into a response, at least one, each with its newest webhooks if included. */
export const showIntegrations = async (
  ports: BrowsePorts,
  integrations: readonly Integration[],
  include: Included,
): Promise<IntegrationResource[]> => {
  const shown: IntegrationResource[] = [];
  let webhooks = 0;
  for (const integration of integrations) {
    if (webhooks >= maxWebhooksOfPage) break;
    const { integration: next } = await showIntegration(ports, integration, include);
    webhooks += next.webhooks?.length ?? 0;
    shown.push(next);
  }
  return shown;
};

const inOrder = (ids: readonly WebhookId[], webhooks: readonly ListedWebhook[]): ListedWebhook[] => {
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
