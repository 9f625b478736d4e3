/** What is sent when a webhook's status changes, stored with the change: an event, and a notice to the owners. */
import type { OutboxMessage } from '../due/outbox.ts';
import { ownEvent } from '../events/own-event.ts';
import { timestamp } from '../foundation/clock.ts';
import type { NoticeMessage } from './notice.ts';
import type { Notice, StatusEvent, Webhook } from './webhook.ts';

/** What a change of the status is reported by. */
export interface StatusReport {
  readonly event?: StatusEvent | undefined;
  readonly notice?: Notice | undefined;
}

/** Returns the messages of a change of this webhook; `now` in epoch ms. */
export const statusMessages = (webhook: Webhook, { event, notice }: StatusReport, now: number): OutboxMessage[] => [
  ...(event === undefined ? [] : [eventMessage(webhook, event, now)]),
  ...(notice === undefined ? [] : [noticeMessage(webhook, notice, now)]),
];

const eventMessage = ({ id, event, name, integration_id }: Webhook, about: StatusEvent, now: number): OutboxMessage => {
  const at = timestamp(now);
  const status = about.name === 'webhook.disabled' ? 'disabled' : 'available';
  return ownEvent(about.name, `${about.name.replaceAll('.', '-')}-${id}-${now}`, at, {
    webhook: { current: { id, event, name, integration_id, status, reason: about.reason, at }, previous: {} },
  });
};

const noticeMessage = ({ id, failing_since }: Webhook, notice: Notice, now: number): OutboxMessage => ({
  queue: 'mail',
  id: `${notice}-${id}-${now}`,
  body: {
    webhook_id: id,
    notice,
    at: (notice === 'failing' ? failing_since : undefined) ?? timestamp(now),
  } satisfies NoticeMessage,
});
