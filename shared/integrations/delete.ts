/**
 * Deleting an integration: its keys die first, in the write that marks it, and then its webhooks go, page by page.
 * Every step may be done twice and stop at any line; the sweep goes on with a deletion whose request did not end it.
 */
import { type Clock, minute, timestamp } from '../foundation/clock.ts';
import type { ApiKeyId, IntegrationId, WebhookId } from '../foundation/ids.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { ApiKeyPointer, Integration } from './integration.ts';
import { noIntegration } from './manage.ts';

export interface DeletionPorts {
  readonly read: (id: IntegrationId) => Promise<Integration | undefined>;
  readonly listKeys: (id: IntegrationId) => Promise<readonly ApiKeyPointer[]>;
  readonly removeKeys: (id: IntegrationId, keys: readonly ApiKeyId[]) => Promise<void>;
  readonly begin: (id: IntegrationId, keys: readonly ApiKeyId[], at: string, due: number) => Promise<boolean>;
  readonly listWebhookIds: (id: IntegrationId, limit: number) => Promise<readonly WebhookId[]>;
  readonly readWebhook: (id: WebhookId) => Promise<Webhook | undefined>;
  readonly removeWebhook: (webhook: Webhook) => Promise<'removed' | 'lost'>;
  readonly removePointer: (id: IntegrationId, webhook: WebhookId) => Promise<void>;
  readonly end: (id: IntegrationId, since: string) => Promise<unknown>;
  readonly clock: Clock;
}

/** The sweep goes on after so long: later than the request can run. */
const dueMs = minute;
/** Two writes each, and a transaction has 100 (AWS limit). */
const keysAtATime = 45;
const webhooksAtATime = 25;

/**
 * Begins the deletion, unless it has begun already, and goes on until all is gone or `deadline` (epoch ms) has passed; what
 * is left then is the sweep's.
 * @throws NotFoundError
 */
export const deleteIntegration = async (
  ports: DeletionPorts,
  id: IntegrationId,
  deadline: number,
): Promise<'gone' | 'going'> => {
  const integration = await ports.read(id);
  if (integration === undefined) throw noIntegration(id);
  if (integration.deleting_since === undefined) {
    const keys = (await ports.listKeys(id)).slice(0, keysAtATime).map((key) => key.id);
    const now = ports.clock();
    await ports.begin(id, keys, timestamp(now), now + dueMs);
  }
  return goOnDeleting(ports, id, deadline);
};

/** Goes on with a deletion that has begun; does nothing where there is none (any more). `deadline` is in epoch ms. */
export const goOnDeleting = async (
  ports: DeletionPorts,
  id: IntegrationId,
  deadline: number,
): Promise<'gone' | 'going'> => {
  for (;;) {
    const integration = await ports.read(id);
    if (integration?.deleting_since === undefined) return 'gone';
    const keys = await ports.listKeys(id);
    const webhooks = await ports.listWebhookIds(id, webhooksAtATime);
    // A new key comes up at most once, when one is replaced while the deletion begins.
    if (keys.length > 0)
      await ports.removeKeys(
        id,
        keys.slice(0, keysAtATime).map((key) => key.id),
      );
    else if (webhooks.length > 0) await Promise.all(webhooks.map((webhook) => removeWebhook(ports, id, webhook)));
    else {
      await ports.end(id, integration.deleting_since);
      return 'gone';
    }
    if (ports.clock() >= deadline) return 'going';
  }
};

/** Where the webhook has just changed, the next page has it again. */
const removeWebhook = async (ports: DeletionPorts, id: IntegrationId, webhookId: WebhookId): Promise<void> => {
  const webhook = await ports.readWebhook(webhookId);
  if (webhook === undefined) await ports.removePointer(id, webhookId);
  else await ports.removeWebhook(webhook);
};
