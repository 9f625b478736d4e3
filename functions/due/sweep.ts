/** Runs every minute: sends due retries, and items whose message was lost. */
import type { ScheduledEvent } from 'aws-lambda';
import { announceDue } from '../../shared/accounts/announce.ts';
import { unannouncedStaffOfDue } from '../../shared/accounts/staff-store.ts';
import { isTokenNotice, sendDueTokenNotices } from '../../shared/accounts/token-notice.ts';
import { log } from '../../shared/aws/log.ts';
import { count, flushMetrics, measure } from '../../shared/aws/metrics.ts';
import { send } from '../../shared/aws/queues.ts';
import { watched } from '../../shared/aws/watched.ts';
import type { QueueName } from '../../shared/contract.ts';
import { dueDeliveries } from '../../shared/deliveries/due.ts';
import { sendRecoveries } from '../../shared/deliveries/recovery/message.ts';
import type { ReplayMessage } from '../../shared/deliveries/replays/schema.ts';
import { replayOfDue } from '../../shared/deliveries/replays/store.ts';
import { pageOfDue, postpone } from '../../shared/due/due-index.ts';
import { type DueKind, type SweepPorts, sweep } from '../../shared/due/sweep.ts';
import { isInOutbox, publishDue } from '../../shared/events/outbox.ts';
import { minute, second, systemClock } from '../../shared/foundation/clock.ts';
import type { DeletionMessage } from '../../shared/integrations/delete.ts';
import { relayOfDue, reportSilentRelays } from '../../shared/integrations/relay/watch.ts';
import { integrationOfDue } from '../../shared/integrations/store.ts';
import { inviteOfDue } from '../../shared/invites/store.ts';
import { readDeadLetters } from '../../shared/stats/dead-letters.ts';
import { getMany } from '../../shared/table/batch.ts';
import type { Key } from '../../shared/table/table-key.ts';
import type { NoticeMessage } from '../../shared/webhooks/notice.ts';
import { webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';

/** Returns the kind of items that stand for a message each; `idOf` is undefined for items of other kinds. */
const messagesFor = <Id>(
  queue: QueueName,
  idOf: (key: Key) => Id | undefined,
  bodyOf: (id: Id) => object,
): DueKind => ({
  owns: (key) => idOf(key) !== undefined,
  sendOn: (keys) =>
    send(
      queue,
      keys.flatMap((key) => idOf(key) ?? []).map((id) => ({ body: bodyOf(id as Id) })),
    ),
});

const replays = messagesFor('replays', replayOfDue, (replay_id): ReplayMessage => ({ replay_id }));

const notices = messagesFor('mail', webhookOfKey, (webhook_id): NoticeMessage => ({ webhook_id }));

/** Webhooks with a notice or an announcement that was not sent yet, or whose deliveries are still to be released. */
const webhooks: DueKind = {
  owns: notices.owns,
  sendOn: async (keys) => {
    const found = await getMany<Webhook>(keys);
    await Promise.all([notices.sendOn(keys), sendRecoveries(found)]);
  },
};

const invites = messagesFor('mail', inviteOfDue, (invite_id) => ({ invite_id }));

/** Staff members whose `staff.added` was not published yet. */
const announcements: DueKind = {
  owns: (key) => unannouncedStaffOfDue(key) !== undefined,
  sendOn: (keys) => announceDue(keys.flatMap((key) => unannouncedStaffOfDue(key) ?? [])),
};

/** Events of Masthead itself that were not published yet. */
const outbox: DueKind = { owns: isInOutbox, sendOn: publishDue };

/** Notices of new tokens that were not sent yet. */
const tokenNotices: DueKind = { owns: isTokenNotice, sendOn: sendDueTokenNotices };

/** Integrations whose deletion has lost its message. The work itself is not done here: it could outlive the sweep. */
const deletions = messagesFor('deletions', integrationOfDue, (integration_id): DeletionMessage => ({ integration_id }));

/** Relays, which are checked again and again. */
const relays: DueKind = {
  owns: (key) => relayOfDue(key) !== undefined,
  sendOn: (keys) => reportSilentRelays(keys.flatMap((key) => relayOfDue(key) ?? [])),
};

const ports: SweepPorts = {
  pageOfDue,
  kinds: [dueDeliveries, replays, webhooks, invites, announcements, outbox, tokenNotices, deletions, relays],
  postpone,
  onOldest: (ageMs) => measure('OldestDue', ageMs),
  onFault: (error) => log.error('A due item could not be sent', { error }),
};

/** Less than the five minutes of the alarm, so that each of its periods has a count. */
const countsDeadLettersEvery = 4.5 * minute;
let deadLettersCountedAt = 0;

/** Counts the dead letters of all queues in one metric, because CloudWatch bills an alarm for each queue's own. */
const countDeadLetters = async (): Promise<void> => {
  if (systemClock() - deadLettersCountedAt < countsDeadLettersEvery) return;
  deadLettersCountedAt = systemClock();
  for (const { messages } of await readDeadLetters()) count('DeadLetters', messages);
};

/** Time for a started page: reading, sending and postponing take at most 4 s each. */
const reserveMs = 15 * second;

export const handler = watched(async (_event: ScheduledEvent, context): Promise<void> => {
  const checked = await sweep(ports, systemClock() + context.getRemainingTimeInMillis() - reserveMs);
  if (checked > 0) log.info('checked due items', { checked });
  await countDeadLetters().catch((error: unknown) => log.warn('The dead letters could not be counted', { error }));
  flushMetrics();
});
