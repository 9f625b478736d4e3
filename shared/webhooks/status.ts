/** Disables and enables webhooks on request. Deliveries of a disabled one are held, and only a replay sends them. */

import { dueAt } from '../due/due-index.ts';
import { sendStored, storeMessage } from '../due/outbox.ts';
import type { Caller } from '../foundation/caller.ts';
import { systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError } from '../foundation/errors.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { allOf, is, isStill } from '../table/condition.ts';
import { updateOnceWith } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Write } from '../table/transaction.ts';
import { auditedWebhook, webhookChangesBetween } from './audit.ts';
import { marksBetween } from './declined.ts';
import { failingAttributes, recovered } from './failing.ts';
import { findWebhook } from './find.ts';
import { type StatusReport, statusMessages } from './status-messages.ts';
import { webhookKey } from './table-keys.ts';
import { declinedAttributes, healthAttributes, type Webhook } from './webhook.ts';

/**
 * Disables a webhook. One that is disabled already stays as it is, unless staff disable what clients could enable.
 * @throws NotFoundError, NoPermissionError
 */
export const disableWebhook = (id: WebhookId, caller: Caller): Promise<Webhook> =>
  untilWritten(`the status of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    const reason = caller.kind === 'staff' ? 'staff' : 'request';
    const isDisabled = webhook.status === 'disabled';
    if (isDisabled && (reason === 'request' || webhook.disabled_for === 'staff')) return webhook;
    return change(
      webhook,
      { status: 'disabled', disabled_for: reason },
      [...failingAttributes, 'releasing', ...declinedAttributes],
      isDisabled ? {} : { event: { name: 'webhook.disabled', reason: 'request' } },
      [auditedWebhook(caller, 'webhook.disabled', webhook, changesTo(webhook, 'disabled'))],
    );
  });

/** Enables a webhook. @throws NotFoundError, NoPermissionError, also for an integration if staff disabled it */
export const enableWebhook = (id: WebhookId, caller: Caller): Promise<Webhook> =>
  untilWritten(`the status of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    if (webhook.disabled_for === 'staff' && caller.kind !== 'staff')
      throw new NoPermissionError('Staff have disabled this webhook, so only staff can enable it.', {
        help: 'Ask an Owner or Administrator.',
      });
    return change(
      webhook,
      { status: 'available' },
      healthAttributes,
      recovered(webhook),
      webhook.status === 'available'
        ? []
        : [auditedWebhook(caller, 'webhook.enabled', webhook, changesTo(webhook, 'available'))],
    );
  });

const changesTo = (webhook: Webhook, status: Webhook['status']) =>
  webhookChangesBetween(webhook, { ...webhook, status });

/** Returns the updated webhook; undefined if it has changed or was deleted. */
const change = async (
  webhook: Webhook,
  state: Pick<Webhook, 'status' | 'disabled_for'>,
  remove: readonly string[],
  report: StatusReport,
  entries: readonly Write[],
): Promise<Webhook | undefined> => {
  const now = systemClock();
  const messages = statusMessages(webhook, report, now);
  const tried = await updateOnceWith<Webhook>(
    webhookKey(webhook.id),
    {
      // What waits for it need not wait any longer.
      set: { ...state, updated_at: timestamp(now), ...(webhook.due_at && dueAt(webhookKey(webhook.id), now)) },
      remove,
    },
    allOf(is('status', webhook.status), isStill('disabled_for', webhook.disabled_for)),
    [...entries, ...marksBetween(webhook, { ...webhook, ...state }), ...messages.map(storeMessage)],
  );
  if (tried.written) await sendStored(messages);
  return tried.value;
};
