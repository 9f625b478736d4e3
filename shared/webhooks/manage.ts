/** The rules of creating, changing and removing webhooks: whose they are, and that no two are the same. */

import type { Caller } from '../foundation/caller.ts';
import { type Clock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError, NotFoundError, ValidationError } from '../foundation/errors.ts';
import type { Ids, WebhookId } from '../foundation/ids.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { NewWebhook, WebhookChanges } from './schema.ts';
import type { WebhookStore } from './store.ts';
import type { Webhook } from './webhook.ts';

interface Ports {
  readonly store: WebhookStore;
  readonly clock: Clock;
}

/**
 * Creates a webhook.
 * @throws ValidationError where its integration does not exist or another webhook has this event and URL
 */
export const createWebhook = async (
  { store, clock, ids }: Ports & { ids: Ids },
  input: NewWebhook,
): Promise<Webhook> => {
  const now = timestamp(clock());
  const webhook: Webhook = {
    id: ids<WebhookId>(),
    event: input.event,
    target_url: input.target_url,
    name: input.name,
    secret: input.secret,
    api_version: input.api_version,
    integration_id: input.integration_id,
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
        details: [
          {
            index: 0,
            field: 'integration_id',
            rule: 'exists',
            limit: null,
            received: 'an id that names no integration',
          },
        ],
      });
  }
};

/**
 * Finds a webhook that the caller may manage: staff any, an integration its own.
 * @throws NotFoundError, NoPermissionError, in this order (wire contract, "Order of checks")
 */
export const findWebhook = async (
  store: Pick<WebhookStore, 'read'>,
  id: WebhookId,
  caller: Caller,
): Promise<Webhook> => {
  const webhook = await store.read(id);
  if (webhook === undefined)
    throw new NotFoundError(`No webhook has the id \`${id}\`.`, {
      help: 'It may have been deleted, or removed because its receiver answered 410.',
    });
  if (caller.kind === 'integration' && caller.integrationId !== webhook.integration_id)
    throw new NoPermissionError('This webhook belongs to another integration.', {
      help: "Use that integration's key, or the key of an Owner or Administrator.",
    });
  return webhook;
};

/**
 * Changes the fields that are given; a disabled webhook is available again.
 * @throws NotFoundError, NoPermissionError, ValidationError for a duplicate, ServiceUnavailableError under endless races
 */
export const updateWebhook = (
  { store, clock }: Ports,
  id: WebhookId,
  changes: WebhookChanges,
  caller: Caller,
): Promise<Webhook> => {
  return untilWritten(`the webhook ${id}`, async () => {
    const before = await findWebhook(store, id, caller);
    const after: Webhook = {
      ...before,
      event: changes.event ?? before.event,
      target_url: changes.target_url ?? before.target_url,
      name: changes.name === undefined ? before.name : changes.name,
      api_version: changes.api_version ?? before.api_version,
      status: 'available',
      updated_at: timestamp(clock()),
    };
    const result = await store.replace(before, after);
    if (result === 'duplicate') throw duplicate(after);
    return result === 'replaced' ? after : undefined;
  });
};

/** Removes a webhook with its subscription. @throws NotFoundError, NoPermissionError, ServiceUnavailableError */
export const deleteWebhook = async (store: WebhookStore, id: WebhookId, caller: Caller): Promise<void> => {
  await untilWritten(`the webhook ${id}`, async () => {
    const webhook = await findWebhook(store, id, caller);
    return (await store.remove(webhook)) === 'removed' ? true : undefined;
  });
};

const duplicate = (webhook: Webhook): ValidationError =>
  new ValidationError(`A webhook for \`${webhook.event}\` to \`${webhook.target_url}\` exists already.`, {
    context: '`event` and `target_url` are compared without regard to case, over all integrations.',
    help: 'Change or delete the other webhook, or give this one another target_url.',
  });
