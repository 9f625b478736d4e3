/** Reads both lanes of deliveries: posts them to their receivers. */
import { queueWorker } from '../../shared/aws/worker.ts';
import { deliverBatch } from '../../shared/deliveries/attempt/deliver.ts';
import { laneOf } from '../../shared/deliveries/lanes.ts';
import { queueMessage } from '../../shared/deliveries/records/messages.ts';
import { createSender } from '../../shared/deliveries/sender/send.ts';
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
  // A batch is from one queue.
  (batch) =>
    deliverBatch(
      options,
      batch.map(({ body }) => body),
      laneOf(batch[0]?.queue),
    ),
  { atEnd: writeCounts },
);
