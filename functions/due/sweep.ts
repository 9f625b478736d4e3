/** Runs every minute: handles what is due, by the kind of item. */
import type { ScheduledEvent } from 'aws-lambda';
import { log } from '../../shared/aws/log.ts';
import { count, flushMetrics } from '../../shared/aws/metrics.ts';
import { send } from '../../shared/aws/queues.ts';
import { watched } from '../../shared/aws/watched.ts';
import type { QueueName } from '../../shared/contract.ts';
import { sendWaitings } from '../../shared/deliveries/backlog/message.ts';
import { sendDueDeliveries } from '../../shared/deliveries/due.ts';
import type { ReplayMessage } from '../../shared/deliveries/replays/schema.ts';
import { replayOfKey } from '../../shared/deliveries/replays/store.ts';
import { sendDueMessages } from '../../shared/due/outbox.ts';
import { type DueHandler, type DueHandlers, sweep } from '../../shared/due/sweep.ts';
import { minute, second, systemClock } from '../../shared/foundation/clock.ts';
import type { DeletionMessage } from '../../shared/integrations/delete.ts';
import { relayOfKey, reportSilentRelays } from '../../shared/integrations/relay/watch.ts';
import { integrationOfKey } from '../../shared/integrations/store.ts';
import { inviteOfKey } from '../../shared/invites/store.ts';
import { readDeadLetters } from '../../shared/stats/dead-letters.ts';
import { getMany } from '../../shared/table/batch.ts';
import type { Key } from '../../shared/table/table-key.ts';
import { isDeclined } from '../../shared/webhooks/declined.ts';
import type { UntouchedMessage } from '../../shared/webhooks/delete-untouched.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';

/** Sends a message for each item, to the worker that does the work: it could outlive the sweep. */
const messagesTo = (queue: QueueName, bodyOf: (key: Key) => object): DueHandler => ({
  send: (keys) =>
    send(
      queue,
      keys.map((key) => ({ body: bodyOf(key) })),
    ),
  staysDue: true,
});

const sendOfWebhooks = async (keys: readonly Key[]): Promise<void> => {
  const webhooks = await getMany<Webhook>(keys);
  const untouched = webhooks.filter(isDeclined).map(({ id }): UntouchedMessage => ({ webhook_id: id }));
  await Promise.all([
    sendWaitings(webhooks),
    send(
      'deletions',
      untouched.map((body) => ({ body })),
    ),
  ]);
};

const handlers: DueHandlers = {
  DELIVERY: { send: sendDueDeliveries, staysDue: false },
  WEBHOOK: { send: sendOfWebhooks, staysDue: true },
  REPLAY: messagesTo('replays', (key) => ({ replay_id: replayOfKey(key) }) satisfies ReplayMessage),
  INVITE: messagesTo('mail', (key) => ({ invite_id: inviteOfKey(key) })),
  INTEGRATION: messagesTo('deletions', (key) => ({ integration_id: integrationOfKey(key) }) satisfies DeletionMessage),
  WATCH: { send: (keys) => reportSilentRelays(keys.map(relayOfKey)), staysDue: true },
  OUTBOX: { send: sendDueMessages, staysDue: false },
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
  const checked = await sweep(handlers, systemClock() + context.getRemainingTimeInMillis() - reserveMs);
  if (checked > 0) log.info('checked due items', { checked });
  await countDeadLetters().catch((error: unknown) => log.warn('The dead letters could not be counted', { error }));
  flushMetrics();
});
