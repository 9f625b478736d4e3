/** Feeds on both lanes of deliveries: posts them to their receivers. */
import { log } from '../../shared/aws/log.ts';
import { count, measure } from '../../shared/aws/metrics.ts';
import { send } from '../../shared/aws/queues.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { type DeliverPorts, deliverBatch } from '../../shared/deliveries/deliver.ts';
import { type Delivery, deliveryMessage } from '../../shared/deliveries/delivery.ts';
import { sendToLanes } from '../../shared/deliveries/lanes.ts';
import { load } from '../../shared/deliveries/load.ts';
import { observe } from '../../shared/deliveries/receivers/receiver.ts';
import { claimProbe, readReceivers, writeReceiver } from '../../shared/deliveries/receivers/store.ts';
import { createSender } from '../../shared/deliveries/sender/send.ts';
import { recordStep, recordSuccesses } from '../../shared/deliveries/store.ts';
import { minute, systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { noteHealth } from '../../shared/webhooks/health-store.ts';
import type { NoticeMessage } from '../../shared/webhooks/notice.ts';

const { deliveries: rules, targets } = settings();

/** Of those that were recorded together, the slowest is measured. */
const countDelivered = (delivered: readonly Delivery[]): void => {
  count('DeliveriesDelivered', delivered.length);
  const first = delivered
    .filter(({ trigger }) => trigger === 'event')
    .reduce((earliest, { created_at }) => (created_at < earliest ? created_at : earliest), '~');
  if (first !== '~') measure('DeliveryLatency', systemClock() - Date.parse(first));
};

const countStep = (delivery: Delivery): void => {
  if (delivery.status === 'failed' || delivery.status === 'blocked') count('DeliveriesFailed');
  else if (delivery.status === 'retrying') count('DeliveriesRetrying');
};

/** What the log says of a step: ids, by which it is found from the request that brought the event, and never a URL or a body. */
const storyOf = (delivery: Delivery) => ({
  event_id: delivery.event_id,
  delivery_id: delivery.id,
  webhook_id: delivery.webhook_id,
  attempts: delivery.attempts,
});

/** Should the message that tells a webhook's owners be lost, the sweep sends another. */
const noticeDueMs = 5 * minute;

const ports: DeliverPorts = {
  load,
  readReceivers,
  claimProbe,
  sender: createSender({
    connectTimeoutMs: rules.connectTimeoutMs,
    concurrencyPerReceiver: rules.concurrencyPerReceiver,
    allowHttp: targets.allowHttp,
    allowRanges: targets.allowRanges,
  }),
  recordSuccesses: async (delivered) => {
    await recordSuccesses(delivered);
    countDelivered(delivered);
    log.info('delivered', { deliveries: delivered.map(storyOf) });
  },
  recordStep: async (before, after, due) => {
    const isRecorded = await recordStep(before, after, due);
    if (isRecorded) {
      countStep(after);
      const { status, last_status, last_error, next_attempt_at } = after;
      log.info('not delivered', { ...storyOf(after), status, last_status, last_error, next_attempt_at });
    }
    return isRecorded;
  },
  sendLater: (attempts) =>
    sendToLanes(attempts.map(({ message, delaySeconds }) => ({ message, lane: 'slow', delaySeconds }))),
  learn: async (receiver, observations) => {
    if (await writeReceiver(receiver, observe(receiver, observations, systemClock()))) count('BreakersOpened');
  },
  noteHealth: async (findings) => {
    const toTell = await noteHealth(findings, rules.disableAfterDays, systemClock() + noticeDueMs);
    if (toTell.length > 0)
      await send(
        'mail',
        toTell.map((webhook_id) => ({ body: { webhook_id } satisfies NoticeMessage })),
      );
  },
  onUnlearned: (error) => log.warn('A lesson of a batch could not be written', { error }),
  clock: systemClock,
  random: Math.random,
  settings: rules,
};

export const handler = queueWorker(deliveryMessage, (batch) =>
  deliverBatch(
    ports,
    batch.map(({ body }) => body),
    // A batch is from one queue.
    batch[0]?.queue === 'deliveries' ? 'fast' : 'slow',
  ),
);
