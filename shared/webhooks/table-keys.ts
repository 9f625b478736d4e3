/** Keys of a webhook's items: the record, the subscription that is both guard and index, the integration's pointer. */
import { createHash } from 'node:crypto';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import type { Key } from '../table/table-key.ts';

export const webhookKey = (id: WebhookId): Key => ({ pk: `WEBHOOK#${id}`, sk: 'WEBHOOK' });

/** Partition of all subscriptions to an event. */
export const subscribersOf = (event: string): string => `EVENT#${event}`;

/** The same for two webhooks that must not both exist: event and URL are compared without regard to case (wire contract). */
export const subscriptionKey = (subscription: { readonly event: string; readonly target_url: string }): Key => ({
  pk: subscribersOf(subscription.event),
  sk: `TARGET#${createHash('sha256').update(subscription.target_url.toLowerCase()).digest('hex')}`,
});

export const pointerKey = (integration: IntegrationId, webhook: WebhookId): Key => ({
  pk: `INTEGRATION#${integration}`,
  sk: `WEBHOOK#${webhook}`,
});
