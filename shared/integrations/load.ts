/** Reads the webhooks and keys of integrations for `browse.ts`. */
import { lastUses } from '../accounts/last-use.ts';
import { withLastTriggered } from '../deliveries/log/last-triggered.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { semaphore } from '../foundation/semaphore.ts';
import { getMany } from '../table/batch.ts';
import { presentListed } from '../webhooks/declined.ts';
import { webhookKey } from '../webhooks/table-keys.ts';
import type { ListedWebhook, Webhook } from '../webhooks/webhook.ts';
import type { BrowsePorts } from './browse.ts';
import type { ApiKeyPointer, ApiKeyPointerWithUse } from './integration.ts';
import { listValidKeysOf, listWebhookIdsOf } from './store.ts';

/** Webhooks whose logs are read at the same time, with two queries each; more would be a burst on the table. */
const concurrency = 25;

const showWebhooks = async (ids: readonly WebhookId[]): Promise<ListedWebhook[]> => {
  const webhooks = await getMany<Webhook>(ids.map(webhookKey));
  const limited = semaphore(concurrency);
  return Promise.all(webhooks.map(async (webhook) => presentListed(await limited(() => withLastTriggered(webhook)))));
};

/** Returns keys with their last use. */
export const withLastUse = async (keys: readonly ApiKeyPointer[]): Promise<ApiKeyPointerWithUse[]> => {
  const uses = await lastUses(keys.map(({ id }) => id));
  return keys.map((key) => ({ ...key, last_seen_at: uses.get(key.id) }));
};

export const browsePorts: BrowsePorts = {
  listKeys: async (id) => withLastUse(await listValidKeysOf(id)),
  listWebhookIds: listWebhookIdsOf,
  showWebhooks,
};
