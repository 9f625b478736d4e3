/** Creates, updates and deletes webhooks: each caller those that it may, and no two the same. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type OutboxMessage, sendStored, storeMessage } from '../due/outbox.ts';
import type { Caller } from '../foundation/caller.ts';
import { type Clock, systemClock, timestamp } from '../foundation/clock.ts';
import { ValidationError } from '../foundation/errors.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { newRevision } from '../foundation/new-id.ts';
import { describe } from '../http/items.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Write } from '../table/transaction.ts';
import { auditedWebhook, optionsChangesBetween, webhookChangesBetween } from './audit.ts';
import { recovered } from './failing.ts';
import { canManage, findWebhook } from './find.ts';
import { changedOptions, checkOptions, type OptionsChanges } from './options.ts';
import { checkMove } from './options-move.ts';
import { isDefault, noOptions, type Options } from './options-resource.ts';
import { writeOptions } from './options-store.ts';
import type { NewWebhook, WebhookChanges } from './schema.ts';
import { checkMayReceive } from './staff-permission.ts';
import { statusMessages } from './status-messages.ts';
import { type Duplicate, type Full, isCreated, type WebhookStore, webhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

interface Ports {
  readonly store: WebhookStore;
  readonly clock: Clock;
}

const tablePorts: Ports = { store: webhookStore, clock: systemClock };

/**
 * Creates a webhook, which replaces those that its receiver has declined (`declined.ts`).
 * @throws NoPermissionError for an event that the integration may not receive, ValidationError for an unknown
 * integration or a duplicate
 */
export const createWebhook = async (
  { options: sent, ...input }: NewWebhook,
  caller: Caller,
  { store, clock }: Ports = tablePorts,
): Promise<Webhook> => {
  await checkMayReceive(input.event, input.integration_id);
  const now = timestamp(clock());
  const options = sent === undefined ? noOptions : changedOptions(noOptions, sent, 'options.');
  checkOptions(options, input, 'options.');
  const make = (id: WebhookId): Webhook => ({
    id,
    ...input,
    ...revisionOf(options),
    status: 'available',
    last_triggered_at: null,
    last_triggered_status: null,
    last_triggered_error: null,
    created_at: now,
    updated_at: now,
  });
  const result = await store.create(input.event, make, (webhook, replaced) => [
    ...replaced.map((one) => deletionEntry(one, caller)),
    auditedWebhook(caller, 'webhook.created', webhook, {
      ...webhookChangesBetween(undefined, webhook),
      ...optionsChangesBetween(noOptions, options),
    }),
    ...(isDefault(options) ? [] : [writeOptions(webhook, options)]),
  ]);
  if (isCreated(result)) return result;
  if (result === 'no integration') throw unknownIntegration(input.integration_id);
  throw 'cap' in result ? full(result) : await duplicate(result, caller, store);
};

const unknownIntegration = (id: IntegrationId): ValidationError =>
  new ValidationError(`No integration has the id \`${id}\`.`, {
    property: 'integration_id',
    help: 'GET /admin/integrations/ lists them.',
    details: [{ index: 0, field: 'integration_id', rule: 'exists', limit: null, received: 'an unknown id' }],
  });

/**
 * Changes the given fields. A new target URL enables a webhook whose receiver failed or declined.
 * @throws NotFoundError, NoPermissionError, ContentionError after lost races, ValidationError for another secret, a
 * duplicate, or a new target or format that would keep stored secrets
 */
export const updateWebhook = async (
  id: WebhookId,
  changes: WebhookChanges,
  caller: Caller,
  ports = tablePorts,
): Promise<Webhook> => {
  const { webhook, messages } = await change(id, changes, caller, 'options.', ports);
  await sendStored(messages);
  return webhook;
};

/** Reads the options of a webhook. @throws NotFoundError, NoPermissionError, ContentionError */
export const findOptions = (id: WebhookId, caller: Caller, { store } = tablePorts): Promise<Options> =>
  untilWritten(`the options of the webhook ${id}`, async () => store.readOptions(await findWebhook(id, caller, store)));

/** Changes the given options of a webhook. @throws as `updateWebhook` does */
export const updateOptions = async (
  id: WebhookId,
  options: OptionsChanges,
  caller: Caller,
  ports = tablePorts,
): Promise<Options> => (await change(id, { options }, caller, '', ports)).options ?? noOptions;

/** A webhook has a revision exactly if it has options. */
const revisionOf = (options: Options): Pick<Webhook, 'options_revision'> =>
  isDefault(options) ? {} : { options_revision: newRevision() };

/** A changed throttle releases what waits under the old one, by `releasing` without a backlog. */
const releaseAfter = (before: Options, after: Options, now: number): Pick<Webhook, 'releasing'> =>
  before.throttle === null || JSON.stringify(before.throttle) === JSON.stringify(after.throttle)
    ? {}
    : { releasing: timestamp(now) };

interface Changed {
  readonly webhook: Webhook;
  readonly options: Options | undefined;
  /** Stored with the change, and to be sent. */
  readonly messages: readonly OutboxMessage[];
}

const change = (
  id: WebhookId,
  { secret, options: sent, ...changes }: WebhookChanges,
  caller: Caller,
  prefix: string,
  { store, clock }: Ports,
): Promise<Changed> =>
  untilWritten(`the webhook ${id}`, async () => {
    const before = await findWebhook(id, caller, store);
    if (secret !== undefined && !isKept(secret, before.secret)) throw otherSecret(id, secret);
    if (changes.event !== undefined) await checkMayReceive(changes.event, before.integration_id);
    const isMoved = changes.target_url !== undefined && changes.target_url !== before.target_url;
    const isAsked = before.disabled_for === 'request' || before.disabled_for === 'staff';
    const status = isMoved && !isAsked ? 'available' : before.status;
    const now = clock();
    const moved: Webhook = { ...before, ...changes, status, updated_at: timestamp(now) };
    const stored = await store.readOptions(before);
    if (stored === undefined) return undefined;
    checkMove({ from: before.target_url, to: moved.target_url }, stored, sent ?? {}, prefix);
    const options = sent === undefined ? undefined : changedOptions(stored, sent, prefix);
    // A new event or target may not fit the options that the webhook has.
    checkOptions(options ?? stored, moved, prefix);
    const { options_revision: _, ...bare } = moved;
    const after: Webhook =
      options === undefined ? moved : { ...bare, ...revisionOf(options), ...releaseAfter(stored, options, now) };
    const audit = { ...webhookChangesBetween(before, after), ...optionsChangesBetween(stored, options ?? stored) };
    const messages = statusMessages(after, isMoved && status === 'available' ? recovered(before) : {}, now);
    const result = await store.replace(before, after, [
      ...messages.map(storeMessage),
      ...(options === undefined ? [] : [writeOptions(after, options)]),
      ...(Object.keys(audit).length === 0 ? [] : [auditedWebhook(caller, 'webhook.updated', after, audit)]),
    ]);
    if (typeof result === 'object') throw await duplicate(result, caller, store);
    return result === 'replaced' ? { webhook: after, options, messages } : undefined;
  });

/** Deletes a webhook with its subscription. @throws NotFoundError, NoPermissionError, ContentionError */
export const deleteWebhook = async (id: WebhookId, caller: Caller, store = webhookStore): Promise<void> => {
  await untilWritten(`the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller, store);
    return (await store.remove(webhook, [deletionEntry(webhook, caller)])) === 'removed' ? true : undefined;
  });
};

const deletionEntry = (webhook: Webhook, caller: Caller): Write =>
  auditedWebhook(caller, 'webhook.deleted', webhook, webhookChangesBetween(webhook, undefined));

const full = ({ cap, setting }: Full): ValidationError => {
  const where = setting === 'caps.webhooks' ? 'integration' : 'stage';
  return new ValidationError(`The ${where} has ${cap} webhooks, which is the maximum.`, {
    property: 'integration_id',
    help: `Delete unused webhooks, or ask the operator of the stage to raise \`${setting}\`.`,
    details: [
      { index: 0, field: 'integration_id', rule: setting, limit: cap, received: `the ${where} has ${cap} webhooks` },
    ],
  });
};

/** Names the existing webhook in `details`, as `limit`, if the caller can manage it. */
const duplicate = async (
  { duplicateOf, event }: Duplicate,
  caller: Caller,
  store: Pick<WebhookStore, 'read'>,
): Promise<ValidationError> => {
  const other = duplicateOf && (await store.read(duplicateOf));
  const id = other !== undefined && canManage(caller, other) ? other.id : null;
  return new ValidationError(
    // Without the URL, which may hold a password: the caller has sent it.
    `A webhook for \`${event}\` with this URL already exists.`,
    {
      context: 'Names of events and `target_url` are compared case-insensitively, across all integrations.',
      help: `Update or delete the ${id === null ? 'existing webhook' : `webhook ${id}`}, or use another target_url.`,
      details: [{ index: 0, field: 'target_url', rule: 'unique', limit: id, received: 'a URL that is in use' }],
    },
  );
};

/** Whether a PUT with this secret loses nothing: it sends none, or the stored one. Compared in constant time. */
const isKept = (sent: string | null, stored: string | null): boolean =>
  sent === null || timingSafeEqual(digest(sent), digest(stored ?? ''));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const otherSecret = (id: WebhookId, sent: string | null): ValidationError =>
  new ValidationError('`secret` differs from the stored one, and a PUT does not change it.', {
    property: 'secret',
    help: `Rotate it: POST /admin/webhooks/${id}/secret/ returns a new one. Or omit \`secret\`.`,
    details: [{ index: 0, field: 'secret', rule: 'unchanged', limit: null, received: describe(sent) }],
  });
