/** Reads both lanes of deliveries: posts them to their receivers. */
import { measureLate } from '../../shared/aws/metrics.ts';
import { queueWorker } from '../../shared/aws/worker.ts';
import { deliverBatch } from '../../shared/deliveries/attempt/deliver.ts';
import { laneOf } from '../../shared/deliveries/lanes.ts';
import { queueMessage } from '../../shared/deliveries/records/messages.ts';
import { createSender } from '../../shared/deliveries/sender/send.ts';
import { systemClock } from '../../shared/foundation/clock.ts';
import { settings } from '../../shared/foundation/environment.ts';
import { writeCounts } from '../../shared/stats/count.ts';

const { deliveries, targets } = settings();

const options = {
  settings: deliveries,
  sender: createSender({
    connectTimeoutMs: deliveries.connectTimeoutMs,
    concurrencyPerReceiver: deliveries.concurrencyPerReceiver,
    allowHttp: targets.allowHttp,
    allowRanges: targets.allowRanges,
  }),
};

export const handler = queueWorker(
  queueMessage,
  (batch) => {
    // A batch is from one queue.
    const lane = laneOf(batch[0]?.queue);
    // The queue's own metric of age omits messages that were received more than three times, as throttled ones are.
    if (lane === 'normal') for (const { sentAt } of batch) measureLate('LateDelivery', systemClock() - sentAt);
    return deliverBatch(
      options,
      batch.map(({ body }) => body),
      lane,
    );
  },
  { atEnd: writeCounts },
);
