/** Webhooks in the audit log. */
import type { AuditAction } from '../audit/actions.ts';
import { actorOf, changesBetween, digestedUrl, masthead } from '../audit/entry.ts';
import type { Changes, Target } from '../audit/resource.ts';
import { audited, record } from '../audit/store.ts';
import type { Caller } from '../foundation/caller.ts';
import { writableFields } from '../foundation/resource.ts';
import type { Write } from '../table/transaction.ts';
import type { Options } from './options-resource.ts';
import { type Webhook, webhookResource } from './webhook.ts';

type WebhookAction = Extract<AuditAction, `webhook.${string}`>;

const shown = (webhook: Webhook) => ({
  ...writableFields(webhookResource, webhook),
  target_url: digestedUrl(webhook.target_url),
  integration_id: webhook.integration_id,
  status: webhook.status,
});

/** Returns the changes between two states; undefined is before the creation, or after the deletion. */
export const webhookChangesBetween = (before: Webhook | undefined, after: Webhook | undefined): Changes =>
  changesBetween(before === undefined ? {} : shown(before), after === undefined ? {} : shown(after));

type Audited = Pick<Webhook, 'id' | 'name' | 'target_url' | 'integration_id'>;

/** Returns a webhook as a target of the audit log. The name of its integration is looked up when the log is read. */
const asTarget = ({ id, name, target_url, integration_id }: Audited): Target => ({
  type: 'webhook',
  id,
  name: name ?? new URL(target_url).host,
  integration: { id: integration_id, name: null },
});

/** Returns the write that records what a caller does to a webhook. */
export const auditedWebhook = (caller: Caller, action: WebhookAction, webhook: Audited, changes: Changes = {}): Write =>
  audited(actorOf(caller), action, asTarget(webhook), changes);

/** Records what a caller requests of a webhook that changes nothing of it, such as a ping. */
export const recordRequest = (
  caller: Caller,
  action: WebhookAction,
  webhook: Audited,
  details: Parameters<typeof changesBetween>[1],
): Promise<void> => record(actorOf(caller), action, asTarget(webhook), changesBetween({}, details));

const auditedAutomatic = (action: WebhookAction, webhook: Webhook, changes: Changes): Write =>
  audited(masthead, action, asTarget(webhook), changes);

/** Returns the write that records that Masthead deletes a webhook. */
export const auditedDeletion = (webhook: Webhook): Write =>
  auditedAutomatic('webhook.deleted', webhook, webhookChangesBetween(webhook, undefined));

/** Returns the write that records a status that Masthead has set, and why; none if the status stays. */
export const auditedStatus = (before: Webhook, after: Webhook): readonly Write[] => {
  if (before.status === after.status) return [];
  const changes = changesBetween(reasonsOf(before), reasonsOf(after));
  return [auditedAutomatic(after.status === 'disabled' ? 'webhook.disabled' : 'webhook.enabled', after, changes)];
};

const reasonsOf = ({ status, disabled_for, declined_with, last_triggered_status, last_triggered_error }: Webhook) => ({
  status,
  disabled_for,
  receiver_said: declined_with,
  last_triggered_status,
  last_triggered_error,
});

/** Returns the options that differ; of header values and the format's settings only that they have changed. */
export const optionsChangesBetween = (before: Options, after: Options): Changes => ({
  ...changesBetween(shownOptions(before), shownOptions(after)),
  ...replacedIn('options.headers', before.headers, after.headers),
  ...(before.format.type === after.format.type && replacedIn('options.format', before.format, after.format)),
});

type Values = Readonly<Record<string, unknown>>;

/** Returns the names that both have, with different values. */
const replacedIn = (path: string, before: Values, after: Values): Changes =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => Object.hasOwn(before, name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [`${path}.${name}`, { from: 'set', to: 'changed' }]),
  );

const shownOptions = ({ description, headers, format, filter, debounce, throttle }: Options) => ({
  'options.description': description,
  'options.headers': Object.keys(headers).join(', ') || null,
  'options.format': format.type,
  'options.filter': filter === null ? null : JSON.stringify(filter),
  'options.debounce': debounce === null ? null : JSON.stringify(debounce),
  'options.throttle': throttle === null ? null : `${throttle.requests} a ${throttle.per}`,
});
