/** Reads the webhooks and keys of integrations for `browse.ts`. */
import { lastUses } from '../accounts/last-use.ts';
import { withLastTriggered } from '../deliveries/log/last-triggered.ts';
import { isUnused } from '../deliveries/records/cohort-store.ts';
import type { CohortId, WebhookId } from '../foundation/ids.ts';
import { semaphore } from '../foundation/semaphore.ts';
import { getMany } from '../table/batch.ts';
import { webhookKey } from '../webhooks/table-keys.ts';
import { presentWebhook, type Webhook, type WebhookResource } from '../webhooks/webhook.ts';
import type { BrowsePorts } from './browse.ts';
import type { ApiKeyPointer, ApiKeyPointerWithUse } from './integration.ts';
import { listValidKeysOf, listWebhookIdsOf } from './store.ts';

/** Webhooks and cohorts that are read at the same time, with one or two queries each; more would be a burst on the table. */
const concurrency = 25;

const showWebhooks = async (ids: readonly WebhookId[]): Promise<WebhookResource[]> => {
  const webhooks = await getMany<Webhook>(ids.map(webhookKey));
  const limited = semaphore(concurrency);
  // Many webhooks are new at the same time, and their cohorts are fewer.
  const unused = new Map<CohortId, Promise<boolean>>();
  const isNew = ({ last_triggered_at, cohort }: Webhook): Promise<boolean> | false => {
    if (last_triggered_at !== null || cohort === undefined) return false;
    const found = unused.get(cohort) ?? limited(() => isUnused(cohort));
    unused.set(cohort, found);
    return found;
  };
  const show = async (webhook: Webhook): Promise<WebhookResource> =>
    presentWebhook((await isNew(webhook)) ? webhook : await limited(() => withLastTriggered(webhook)));
  return Promise.all(webhooks.map(show));
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
