/** Where webhooks lie in the table: record, subscription and pointer, always changed together. */

import type { WebhookId } from '../foundation/ids.ts';
import { allOf, type Change, type Condition, exists, is, missing } from '../table/condition.ts';
import { ConditionFailed, get, update } from '../table/item.ts';
import { TransactionFailed, transact, type Write } from '../table/transaction.ts';
import { healthTimers } from './health.ts';
import { checkInUse } from './integration-guard.ts';
import type { SecretChange } from './secret.ts';
import { pointerKey, subscriptionKey, webhookKey } from './table-keys.ts';
import type { Webhook } from './webhook.ts';

/** What the rules of webhooks need of a store. */
export interface WebhookStore {
  read(id: WebhookId): Promise<Webhook | undefined>;
  /** Puts a webhook whose event and URL nobody has. */
  create(webhook: Webhook): Promise<'created' | 'duplicate' | 'no integration'>;
  /** Replaces `before` by `after`; `lost` where it has changed or gone since it was read. */
  replace(before: Webhook, after: Webhook): Promise<'replaced' | 'duplicate' | 'lost'>;
  /** Removes a webhook; `lost` where it has changed or gone since it was read. */
  remove(webhook: Webhook): Promise<'removed' | 'lost'>;
}

const subscription = (webhook: Webhook): Write => ({
  kind: 'put',
  item: { ...subscriptionKey(webhook), webhook_id: webhook.id, receiver: new URL(webhook.target_url).origin },
  condition: missing(),
});

const unsubscription = (webhook: Webhook): Write => ({
  kind: 'delete',
  key: subscriptionKey(webhook),
  condition: is('webhook_id', webhook.id),
});

/** It still subscribes to what it subscribed to when it was read, so that its subscription is the one we know. */
const unmoved = (webhook: Webhook): Condition =>
  allOf(exists(), is('event', webhook.event), is('target_url', webhook.target_url));

/** It is what it was when it was read: what a PUT leaves out keeps its value, also one that came a moment before it. */
const unchanged = (webhook: Webhook): Condition =>
  allOf(unmoved(webhook), is('name', webhook.name), is('api_version', webhook.api_version));

const writableFields = (webhook: Webhook): Change => ({
  set: {
    event: webhook.event,
    target_url: webhook.target_url,
    name: webhook.name,
    api_version: webhook.api_version,
    status: webhook.status,
    updated_at: webhook.updated_at,
  },
  // A successful PUT ends the story of failures (wire contract: it brings a disabled webhook back).
  remove: healthTimers,
});

export const webhookStore: WebhookStore = {
  read: (id) => get<Webhook>(webhookKey(id)),

  async create(webhook) {
    try {
      await transact([
        { kind: 'put', item: { ...webhookKey(webhook.id), ...webhook }, condition: missing() },
        subscription(webhook),
        checkInUse(webhook.integration_id),
        {
          kind: 'put',
          item: { ...pointerKey(webhook.integration_id, webhook.id), webhook_id: webhook.id },
          condition: missing(),
        },
      ]);
      return 'created';
    } catch (error) {
      if (!(error instanceof TransactionFailed)) throw error;
      return error.failed.has(2) ? 'no integration' : 'duplicate';
    }
  },

  async replace(before, after) {
    const key = webhookKey(before.id);
    if (subscriptionKey(before).sk === subscriptionKey(after).sk && before.event === after.event) {
      // Only the letter case of the URL can differ: the subscription is the same item, which a transaction may not touch twice.
      try {
        await update(key, writableFields(after), unchanged(before));
        return 'replaced';
      } catch (error) {
        if (error instanceof ConditionFailed) return 'lost';
        throw error;
      }
    }
    try {
      await transact([
        { kind: 'update', key, change: writableFields(after), condition: unchanged(before) },
        unsubscription(before),
        subscription(after),
      ]);
      return 'replaced';
    } catch (error) {
      if (!(error instanceof TransactionFailed)) throw error;
      return error.failed.has(0) || error.failed.has(1) ? 'lost' : 'duplicate';
    }
  },

  async remove(webhook) {
    try {
      await transact([
        { kind: 'delete', key: webhookKey(webhook.id), condition: unmoved(webhook) },
        unsubscription(webhook),
        { kind: 'delete', key: pointerKey(webhook.integration_id, webhook.id) },
      ]);
      return 'removed';
    } catch (error) {
      if (error instanceof TransactionFailed) return 'lost';
      throw error;
    }
  },
};

/** Gives a webhook another secret; false where it is gone, or has another one than it had when it was read. */
export const changeSecret = async (
  before: Webhook,
  { secret, previous, updated_at }: SecretChange,
): Promise<boolean> => {
  const change: Change = {
    set: { secret, updated_at, previous_secret: previous?.secret, previous_secret_until: previous?.until },
    ...(previous === null && { remove: ['previous_secret', 'previous_secret_until'] }),
  };
  try {
    await update(webhookKey(before.id), change, allOf(exists(), is('secret', before.secret)));
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};
