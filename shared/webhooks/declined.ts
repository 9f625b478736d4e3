/**
 * Webhooks that their receivers have declined, with a 410 or `webhook-delivery: disable`. They do not count in the
 * caps, a new one can replace them, and untouched ones end after 30 days: REST hooks with new URLs would pile up.
 */
import { dueAt } from '../due/due-index.ts';
import { day, timestamp } from '../foundation/clock.ts';
import { covers, subscribedLists } from '../foundation/event-selection.ts';
import { present } from '../foundation/resource.ts';
import { exists } from '../table/condition.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import { pointerKey, subscriberKey, webhookKey } from './table-keys.ts';
import { type ListedWebhook, listedWebhookResource, type Webhook } from './webhook.ts';

const keptMs = 30 * day;

export const isDeclined = ({ status, disabled_for }: Pick<Webhook, 'status' | 'disabled_for'>): boolean =>
  status === 'disabled' && disabled_for === 'receiver';

/** Returns when a declined webhook is deleted if it does not change, in epoch ms. */
export const deletionTimeOf = ({ declined_at, updated_at }: Pick<Webhook, 'declined_at' | 'updated_at'>): number =>
  Math.max(Date.parse(declined_at ?? updated_at), Date.parse(updated_at)) + keptMs;

/** Returns the attributes of a webhook that its receiver declines with these words, at `now`. */
export const declined = ({ id }: Pick<Webhook, 'id'>, said: string, now: number) => ({
  status: 'disabled' as const,
  disabled_for: 'receiver' as const,
  declined_at: timestamp(now),
  declined_with: said,
  ...dueAt(webhookKey(id), now + keptMs),
});

/** Presents a webhook of a list, where a failing one shows since when, and a declined one what its receiver said. */
export const presentListed = (webhook: Webhook): ListedWebhook => {
  const { declined_at: at, declined_with: answer } = webhook;
  const isShown = isDeclined(webhook) && at !== undefined && answer !== undefined;
  return present(listedWebhookResource, {
    ...webhook,
    ...(webhook.options_revision !== undefined && { has_options: true }),
    ...(isShown && { declined: { at, answer, deletion_at: timestamp(deletionTimeOf(webhook)) } }),
  });
};

/** Marks what the caps do not count: a declined webhook's pointer and subscriber, and any webhook's further ones. */
export const uncounted = 'uncounted';

/** Returns the writes that set or remove the marks of a webhook that is declined only before or after a change. */
export const marksBetween = (before: Webhook, after: Webhook): readonly Write[] => [
  ...pointerMarkBetween(before, after),
  ...subscribedLists(after.event)
    .slice(0, 1)
    .flatMap((list) => markBetween(before, after, subscriberKey(list, after.id))),
];

/** The same for the pointer alone. */
export const pointerMarkBetween = (before: Webhook, after: Webhook): readonly Write[] =>
  markBetween(before, after, pointerKey(after.integration_id, after.id));

const markBetween = (before: Webhook, after: Webhook, key: Key): readonly Write[] => {
  if (isDeclined(before) === isDeclined(after)) return [];
  const change = isDeclined(after) ? { set: { [uncounted]: true } } : { remove: [uncounted] };
  return [{ kind: 'update', key, change, condition: exists() }];
};

/** Returns whether a new webhook replaces a declined one of its integration and target, with at least its events. */
export const replaces = (webhook: Webhook, other: Webhook): boolean =>
  isDeclined(other) && other.integration_id === webhook.integration_id && covers(webhook.event, other.event);
