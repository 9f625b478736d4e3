/** Creates, finds, updates and deletes webhooks: who owns them, and that no two are the same. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../foundation/caller.ts';
import { type Clock, systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import type { IntegrationId, WebhookId } from '../foundation/ids.ts';
import { describe } from '../http/items.ts';
import { untilWritten } from '../table/optimistic.ts';
import { auditedWebhook, webhookChangesBetween } from './audit.ts';
import type { NewWebhook, WebhookChanges } from './schema.ts';
import { checkMayReceive } from './staff-permission.ts';
import { type Duplicate, type Full, isCreated, type WebhookStore, webhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

interface Ports {
  readonly store: WebhookStore;
  readonly clock: Clock;
}

const tablePorts: Ports = { store: webhookStore, clock: systemClock };

/**
 * Creates a webhook.
 * @throws NoPermissionError for an event that the integration may not receive, ValidationError for an unknown integration, or if another
 * webhook has this event and URL
 */
export const createWebhook = async (
  input: NewWebhook,
  caller: Caller,
  { store, clock }: Ports = tablePorts,
): Promise<Webhook> => {
  await checkMayReceive(input.event, input.integration_id);
  const now = timestamp(clock());
  const result = await store.create(
    input.event,
    (id) => ({
      id,
      ...input,
      status: 'available',
      last_triggered_at: null,
      last_triggered_status: null,
      last_triggered_error: null,
      created_at: now,
      updated_at: now,
    }),
    (webhook) => [auditedWebhook(caller, 'webhook.created', webhook, webhookChangesBetween(undefined, webhook))],
  );
  if (isCreated(result)) return result;
  if (result === 'no integration') throw unknownIntegration(input.integration_id);
  throw 'cap' in result ? full(result) : await duplicate(input, result, caller, store);
};

const unknownIntegration = (id: IntegrationId): ValidationError =>
  new ValidationError(`No integration has the id \`${id}\`.`, {
    property: 'integration_id',
    help: 'GET /admin/integrations/ lists them.',
    details: [{ index: 0, field: 'integration_id', rule: 'exists', limit: null, received: 'an unknown id' }],
  });

/**
 * Finds a webhook that the caller can manage: staff any, an integration its own.
 * @throws NotFoundError, NoPermissionError, in this order (docs/compatibility.md, "Order of checks")
 */
export const findWebhook = async (
  id: WebhookId,
  caller: Caller,
  store: Pick<WebhookStore, 'read'> = webhookStore,
): Promise<Webhook> => {
  const webhook = await store.read(id);
  if (webhook === undefined)
    throw new NotFoundError(`No webhook has the id \`${id}\`.`, {
      help: 'It may have been deleted, or removed because its receiver returned 410.',
    });
  if (!canManage(caller, webhook))
    throw new NoPermissionError('This webhook belongs to another integration.', {
      help: 'Use the key of that integration, or of an Owner or Administrator.',
    });
  return webhook;
};

/** Staff manage any webhook, an integration its own. */
const canManage = (caller: Caller, { integration_id }: Webhook): boolean =>
  caller.kind === 'staff' || caller.integrationId === integration_id;

/**
 * Changes the given fields. A new target URL makes a webhook available that was disabled because its receiver failed or asked for it.
 * @throws NotFoundError, NoPermissionError, ValidationError for another secret or a duplicate, ServiceUnavailableError after lost
 * races
 */
export const updateWebhook = (
  id: WebhookId,
  { secret, ...changes }: WebhookChanges,
  caller: Caller,
  { store, clock } = tablePorts,
): Promise<Webhook> =>
  untilWritten(`the webhook ${id}`, async () => {
    const before = await findWebhook(id, caller, store);
    if (secret !== undefined && !isKept(secret, before.secret)) throw otherSecret(id, secret);
    if (changes.event !== undefined) await checkMayReceive(changes.event, before.integration_id);
    const isMoved = changes.target_url !== undefined && changes.target_url !== before.target_url;
    const status = isMoved && before.disabled_for !== 'request' ? 'available' : before.status;
    const after: Webhook = { ...before, ...changes, status, updated_at: timestamp(clock()) };
    const audit = webhookChangesBetween(before, after);
    const also = Object.keys(audit).length === 0 ? [] : [auditedWebhook(caller, 'webhook.updated', after, audit)];
    const result = await store.replace(before, after, also);
    if (typeof result === 'object') throw await duplicate(after, result, caller, store);
    return result === 'replaced' ? after : undefined;
  });

/** Deletes a webhook with its subscription. @throws NotFoundError, NoPermissionError, ServiceUnavailableError */
export const deleteWebhook = async (id: WebhookId, caller: Caller, store = webhookStore): Promise<void> => {
  await untilWritten(`the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller, store);
    const entry = auditedWebhook(caller, 'webhook.deleted', webhook, webhookChangesBetween(webhook, undefined));
    return (await store.remove(webhook, [entry])) === 'removed' ? true : undefined;
  });
};

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
  webhook: Pick<Webhook, 'event' | 'target_url'>,
  { duplicateOf }: Duplicate,
  caller: Caller,
  store: Pick<WebhookStore, 'read'>,
): Promise<ValidationError> => {
  const other = duplicateOf && (await store.read(duplicateOf));
  const id = other !== undefined && canManage(caller, other) ? other.id : null;
  return new ValidationError(
    `A webhook for \`${webhook.event}\` with the URL \`${webhook.target_url}\` already exists.`,
    {
      context: '`event` and `target_url` are compared case-insensitively, across all integrations.',
      help: `Update or delete the ${id === null ? 'existing webhook' : `webhook ${id}`}, or use another target_url.`,
      details: [{ index: 0, field: 'target_url', rule: 'unique', limit: id, received: 'a URL that is in use' }],
    },
  );
};

/** Whether a PUT with this secret loses nothing: it sends none, or the stored one. Takes the same time however much of it is right. */
const isKept = (sent: string | null, stored: string | null): boolean =>
  sent === null || timingSafeEqual(digest(sent), digest(stored ?? ''));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const otherSecret = (id: WebhookId, sent: string | null): ValidationError =>
  new ValidationError('`secret` differs from the stored one, and a PUT does not change it.', {
    property: 'secret',
    help: `Rotate it: POST /admin/webhooks/${id}/secret/ returns a new one. Or omit \`secret\`.`,
    details: [{ index: 0, field: 'secret', rule: 'unchanged', limit: null, received: describe(sent) }],
  });
