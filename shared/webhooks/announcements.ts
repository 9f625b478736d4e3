/**
 * Publishes operational events about a webhook. The write that changes its health or status also records the event and marks the webhook as due, so
 * that the event is published at least once: by the message in the mail queue, or by the sweep.
 */
import { send } from '../aws/queues.ts';
import type { AcceptedEvent } from '../events/event.ts';
import type { WebhookId } from '../foundation/ids.ts';
import { is } from '../table/condition.ts';
import { forgetReason } from './due-reasons.ts';
import { webhookStore } from './store.ts';
import type { Announcement, Webhook } from './webhook.ts';

/** Returns the event of an announcement. Its id and content are derived from it, so that publishing it again creates the same deliveries. */
const eventOf = ({ id, event, name, integration_id }: Webhook, announcement: Announcement): AcceptedEvent => ({
  kind: 'event',
  id: `${announcement.event.replaceAll('.', '-')}-${id}-${Date.parse(announcement.at)}`,
  publisher: 'masthead',
  event: announcement.event,
  accepted_at: announcement.at,
  payload: {
    webhook: {
      current: {
        id,
        event,
        name,
        integration_id,
        status: announcement.event === 'webhook.disabled' ? 'disabled' : 'available',
        reason: announcement.reason,
        at: announcement.at,
      },
      previous: {},
    },
  },
});

/** Publishes what the record of a webhook announces. @throws ServiceUnavailableError, after which SQS delivers the message again */
export const publishAnnouncements = async (id: WebhookId): Promise<void> => {
  const webhook = await webhookStore.read(id);
  const { announcements = [] } = webhook ?? {};
  if (webhook === undefined || announcements.length === 0) return;
  await send(
    'events',
    announcements.map((announcement) => ({ body: eventOf(webhook, announcement), group: 'masthead' })),
  );
  // If another one was added in the meantime, all are published again together with it.
  await forgetReason(id, 'announcements', is('announcements', toValue(announcements)));
};

const toValue = (announcements: readonly Announcement[]) => announcements.map((one) => ({ ...one }));
