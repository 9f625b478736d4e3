/** Removes many webhooks of one integration, with everything that belongs to them. */
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { semaphore } from '../foundation/semaphore.ts';
import { getMany } from '../table/batch.ts';
import { tryWrite } from '../table/conditional.ts';
import { remove } from '../table/item.ts';
import { maxWrites, transact } from '../table/transaction.ts';
import { removalOf } from './store.ts';
import { pointerKey, webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

/** Concurrent transactions: the pointers' partition bears 1,000 writes a second (DynamoDB limit); each needs two. */
const concurrency = 4;

/** Removes webhooks, and pointers without one. What changes meanwhile stays with its pointer, for the next call. */
export const removeWebhooks = async (integration: IntegrationId, ids: readonly WebhookId[]): Promise<void> => {
  const webhooks = await getMany<Webhook>(ids.map(webhookKey));
  const found = new Set(webhooks.map(({ id }) => id));
  const limited = semaphore(concurrency);
  const transactions = inTransactions(webhooks).map((page) => limited(() => removeInTransaction(page)));
  const gone = ids.filter((id) => !found.has(id)).map((id) => remove(pointerKey(integration, id)));
  await Promise.all([...transactions, ...gone]);
};

/** Splits webhooks into those that fit in a transaction together. */
const inTransactions = (webhooks: readonly Webhook[]): Webhook[][] => {
  const pages: Webhook[][] = [];
  let room = 0;
  for (const webhook of webhooks) {
    const writes = removalOf(webhook).length;
    if (writes > room) {
      pages.push([]);
      room = maxWrites;
    }
    pages.at(-1)?.push(webhook);
    room -= writes;
  }
  return pages;
};

/** Removes all in one transaction, or each in its own if one of them has changed. */
const removeInTransaction = async (webhooks: readonly Webhook[]): Promise<void> => {
  const { written } = await tryWrite(transact(webhooks.flatMap((webhook) => removalOf(webhook))));
  if (!written && webhooks.length > 1) await Promise.all(webhooks.map((webhook) => removeInTransaction([webhook])));
};
