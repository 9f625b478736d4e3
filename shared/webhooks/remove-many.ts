/** Removes many webhooks of one integration, with everything that belongs to them. */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { getMany } from '../table/batch.ts';
import { tryWrite } from '../table/conditional.ts';
import { remove } from '../table/item.ts';
import { transact } from '../table/transaction.ts';
import { removalOf } from './store.ts';
import { pointerKey, webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

/** Five writes each, and a transaction has at most 100 (DynamoDB limit). */
const perTransaction = 20;

/**
 * Removes these webhooks, and the pointers to those that were already deleted. A webhook that changes in the meantime stays, with its pointer, so
 * that the next call finds it again.
 */
export const removeWebhooks = async (integration: IntegrationId, ids: readonly WebhookId[]): Promise<void> => {
  const webhooks = await getMany<Webhook>(ids.map(webhookKey));
  const found = new Set(webhooks.map(({ id }) => id));
  const transactions: Promise<unknown>[] = [];
  for (let start = 0; start < webhooks.length; start += perTransaction)
    transactions.push(removeInTransaction(webhooks.slice(start, start + perTransaction)));
  const gone = ids.filter((id) => !found.has(id)).map((id) => remove(pointerKey(integration, id)));
  await Promise.all([...transactions, ...gone]);
};

/** Removes all in one transaction, or each in its own if one of them has changed. */
const removeInTransaction = async (webhooks: readonly Webhook[]): Promise<void> => {
  const { written } = await tryWrite(transact(webhooks.flatMap(removalOf)));
  if (!written && webhooks.length > 1) await Promise.all(webhooks.map((webhook) => removeInTransaction([webhook])));
};
