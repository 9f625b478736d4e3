/** Keys of a webhook's items: record, subscriber for fan-out, guard of uniqueness, and the integration's pointer. */
import { sha256 } from '../foundation/hash.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import type { Key } from '../table/table-key.ts';

const prefix = 'WEBHOOK#';

/** The key of a webhook's record. */
export const webhookKey = (id: WebhookId): Key => ({ pk: `${prefix}${id}`, sk: `${prefix}${id}` });

/** Returns the id of the webhook whose record has this key; undefined for other items. */
export const webhookOfKey = ({ pk, sk }: Key): WebhookId | undefined =>
  pk.startsWith(prefix) && sk.startsWith(prefix) ? (sk.slice(prefix.length) as WebhookId) : undefined;

/** Partition of all subscribers of an event and of their guards. */
export const subscribersOf = (event: string): string => `EVENT#${event}`;

/** The beginning of every subscriber's sort key; the webhook's id follows. */
export const subscriberPrefix = 'SUBSCRIBER#';

export const subscriberKey = (event: string, id: WebhookId): Key => ({
  pk: subscribersOf(event),
  sk: `${subscriberPrefix}${id}`,
});

interface Target {
  readonly event: string;
  readonly target_url: string;
}

/** Equal for two webhooks that must not both exist: event and target URL, compared case-insensitively. */
export const guardKey = (webhook: Target): Key => ({
  pk: subscribersOf(webhook.event),
  sk: `${variantPrefix(webhook)}${sha256(webhook.target_url.toLowerCase())}`,
});

/** The beginning of the guards of all webhooks whose URLs differ by query or fragment only. */
export const variantPrefix = ({ target_url }: Pick<Target, 'target_url'>): string => {
  const url = URL.parse(target_url.toLowerCase());
  return `TARGET#${sha256(`${url?.origin}${url?.pathname}`)}#`;
};

/** The counter of an integration's webhooks. */
export const webhookCountKey = (integration: IntegrationId): Key => ({
  pk: `INTEGRATION#${integration}`,
  sk: 'WEBHOOK_COUNT',
});

/** The counter of all webhooks, beside that of all integrations. */
export const allWebhooksCountKey: Key = { pk: 'INTEGRATIONS', sk: 'WEBHOOK_COUNT' };

export const pointerKey = (integration: IntegrationId, webhook: WebhookId): Key => ({
  pk: `INTEGRATION#${integration}`,
  sk: `WEBHOOK#${webhook}`,
});
