/** Reads the webhooks of integrations as clients see them, with when they were last triggered. */
import { withLastTriggered } from '../deliveries/last-triggered.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { webhookKey } from '../webhooks/table-keys.ts';
import { presentWebhook, type Webhook, type WebhookResource } from '../webhooks/webhook.ts';
import type { BrowsePorts } from './browse.ts';
import { listKeysOf, listWebhookIdsOf } from './store.ts';

/** Webhooks whose newest deliveries are looked at together, so that hundreds of them are no burst on the table. */
const atATime = 25;

const showWebhooks = async (ids: readonly WebhookId[]): Promise<WebhookResource[]> => {
  const webhooks = await getMany<Webhook>(ids.map(webhookKey));
  const shown: WebhookResource[] = [];
  for (let start = 0; start < webhooks.length; start += atATime)
    shown.push(...(await Promise.all(webhooks.slice(start, start + atATime).map(showWebhook))));
  return shown;
};

/** What was never triggered has no deliveries to look at: the first attempt is always noted. */
const showWebhook = async (webhook: Webhook): Promise<WebhookResource> =>
  presentWebhook(webhook.last_triggered_at === null ? webhook : await withLastTriggered(webhook));

export const browsePorts: BrowsePorts = { listKeys: listKeysOf, listWebhookIds: listWebhookIdsOf, showWebhooks };
