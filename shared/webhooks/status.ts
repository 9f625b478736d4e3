/** Disables and enables webhooks on request: while one is disabled its deliveries are held, and only a replay sends those. */
import type { Caller } from '../foundation/caller.ts';
import { systemClock, timestamp } from '../foundation/clock.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { exists } from '../table/condition.ts';
import { updateOnce } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import { failingAttributes } from './failing.ts';
import { findWebhook } from './manage.ts';
import { webhookKey } from './table-keys.ts';
import { healthAttributes, type Webhook } from './webhook.ts';

/** Disables a webhook; one that is disabled already stays as it is. @throws NotFoundError, NoPermissionError */
export const disableWebhook = (id: WebhookId, caller: Caller): Promise<Webhook> =>
  untilWritten(`the status of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    return webhook.status === 'disabled' ? webhook : change(id, 'disabled', failingAttributes);
  });

/** Makes a webhook available, and ends the story of its failures as a PUT does. @throws NotFoundError, NoPermissionError */
export const enableWebhook = (id: WebhookId, caller: Caller): Promise<Webhook> =>
  untilWritten(`the status of the webhook ${id}`, async () => {
    await findWebhook(id, caller);
    return change(id, 'available', healthAttributes);
  });

/** Returns the updated webhook; undefined if it was deleted. */
const change = async (id: WebhookId, status: Webhook['status'], remove: readonly string[]) =>
  (
    await updateOnce<Webhook>(
      webhookKey(id),
      { set: { status, updated_at: timestamp(systemClock()) }, remove },
      exists(),
    )
  ).value;
