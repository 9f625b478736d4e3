/** Creates, finds, updates and deletes webhooks: who owns them, and that no two are the same. */
import type { Caller } from '../foundation/caller.ts';
import { type Clock, systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import { type Ids, newId, type WebhookId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { NewWebhook, WebhookChanges } from './schema.ts';
import { type WebhookStore, webhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

interface Ports {
  readonly store: WebhookStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

const tablePorts: Ports = { store: webhookStore, clock: systemClock, ids: newId };

/**
 * Creates a webhook.
 * @throws ValidationError for an unknown integration, or if another webhook has this event and URL
 */
export const createWebhook = async (input: NewWebhook, { store, clock, ids } = tablePorts): Promise<Webhook> => {
  const now = timestamp(clock());
  const webhook: Webhook = {
    id: ids<WebhookId>(),
    ...input,
    status: 'available',
    last_triggered_at: null,
    last_triggered_status: null,
    last_triggered_error: null,
    created_at: now,
    updated_at: now,
  };
  switch (await store.create(webhook)) {
    case 'created':
      return webhook;
    case 'duplicate':
      throw duplicate(webhook);
    case 'no integration':
      throw new ValidationError(`No integration has the id \`${webhook.integration_id}\`.`, {
        property: 'integration_id',
        help: 'GET /admin/integrations/ lists them.',
        details: [{ index: 0, field: 'integration_id', rule: 'exists', limit: null, received: 'an unknown id' }],
      });
  }
};

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
  if (caller.kind === 'integration' && caller.integrationId !== webhook.integration_id)
    throw new NoPermissionError('This webhook belongs to another integration.', {
      help: 'Use the key of that integration, or of an Owner or Administrator.',
    });
  return webhook;
};

/**
 * Changes the given fields; a disabled webhook becomes available.
 * @throws NotFoundError, NoPermissionError, ValidationError for a duplicate, ServiceUnavailableError after lost races
 */
export const updateWebhook = (
  id: WebhookId,
  changes: WebhookChanges,
  caller: Caller,
  { store, clock } = tablePorts,
): Promise<Webhook> =>
  untilWritten(`the webhook ${id}`, async () => {
    const before = await findWebhook(id, caller, store);
    const after: Webhook = { ...before, ...changes, status: 'available', updated_at: timestamp(clock()) };
    const result = await store.replace(before, after);
    if (result === 'duplicate') throw duplicate(after);
    return result === 'replaced' ? after : undefined;
  });

/** Deletes a webhook with its subscription. @throws NotFoundError, NoPermissionError, ServiceUnavailableError */
export const deleteWebhook = async (id: WebhookId, caller: Caller, store = webhookStore): Promise<void> => {
  await untilWritten(`the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller, store);
    return (await store.remove(webhook)) === 'removed' ? true : undefined;
  });
};

const duplicate = (webhook: Webhook): ValidationError =>
  new ValidationError(`A webhook for \`${webhook.event}\` with the URL \`${webhook.target_url}\` already exists.`, {
    context: '`event` and `target_url` are compared case-insensitively, across all integrations.',
    help: 'Update or delete the existing webhook, or use another target_url.',
  });
