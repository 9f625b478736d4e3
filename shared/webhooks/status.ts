/** Disables and enables webhooks on request: while one is disabled its deliveries are held, and only a replay sends those. */
import type { Caller } from '../foundation/caller.ts';
import { systemClock, timestamp } from '../foundation/clock.ts';
import { NoPermissionError } from '../foundation/errors.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { allOf, is, isStill } from '../table/condition.ts';
import { updateOnceWith } from '../table/once.ts';
import { untilWritten } from '../table/optimistic.ts';
import type { Write } from '../table/transaction.ts';
import { announced } from './announcement.ts';
import { auditedWebhook, webhookChangesBetween } from './audit.ts';
import { failingAttributes } from './failing.ts';
import { findWebhook } from './find.ts';
import { webhookKey } from './table-keys.ts';
import { type Announcement, healthAttributes, type Webhook } from './webhook.ts';

/**
 * Disables a webhook. A webhook that is already disabled stays as it is, unless staff now disable what only staff can enable.
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
      [...failingAttributes, 'recovering'],
      isDisabled ? undefined : { event: 'webhook.disabled', reason: 'request' },
      [
        auditedWebhook(
          caller,
          'webhook.disabled',
          webhook,
          webhookChangesBetween(webhook, { ...webhook, status: 'disabled' }),
        ),
      ],
    );
  });

/**
 * Enables a webhook, and ends its period of failures.
 * @throws NotFoundError, NoPermissionError, also for an integration whose webhook staff have disabled
 */
export const enableWebhook = (id: WebhookId, caller: Caller): Promise<Webhook> =>
  untilWritten(`the status of the webhook ${id}`, async () => {
    const webhook = await findWebhook(id, caller);
    if (webhook.disabled_for === 'staff' && caller.kind !== 'staff')
      throw new NoPermissionError('Staff have disabled this webhook, so only staff can enable it.', {
        help: 'Ask an Owner or Administrator.',
      });
    const isNews = webhook.status === 'disabled' || webhook.warned_at !== undefined;
    return change(
      webhook,
      { status: 'available' },
      healthAttributes,
      isNews ? { event: 'webhook.recovered', reason: null } : undefined,
      webhook.status === 'available'
        ? []
        : [
            auditedWebhook(
              caller,
              'webhook.enabled',
              webhook,
              webhookChangesBetween(webhook, { ...webhook, status: 'available' }),
            ),
          ],
    );
  });

/** Returns the updated webhook; undefined if it has changed or was deleted. The sweep publishes the announcement. */
const change = async (
  webhook: Webhook,
  state: Pick<Webhook, 'status' | 'disabled_for'>,
  remove: readonly string[],
  announcement: Omit<Announcement, 'at'> | undefined,
  also: readonly Write[],
): Promise<Webhook | undefined> => {
  const { id, status: before, announcements } = webhook;
  const now = systemClock();
  const at = timestamp(now);
  const { set, append } = announcement === undefined ? {} : announced(webhook, { ...announcement, at }, now);
  const isDue = announcement !== undefined || announcements !== undefined;
  const tried = await updateOnceWith<Webhook>(
    webhookKey(id),
    {
      set: { ...state, updated_at: at, ...set },
      remove: remove.filter((attribute) => !(isDue && ['due', 'due_at'].includes(attribute))),
      ...(append && { append }),
    },
    allOf(is('status', before), isStill('disabled_for', webhook.disabled_for)),
    also,
  );
  return tried.value;
};
