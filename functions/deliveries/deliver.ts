/** Reads both lanes of deliveries: posts them to their receivers. */
import { queueWorker } from '../../shared/aws/worker.ts';
import { deliverBatch } from '../../shared/deliveries/deliver.ts';
import { deliveriesOf, deliveryMessage } from '../../shared/deliveries/delivery.ts';
import { laneOf } from '../../shared/deliveries/lanes.ts';
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

/** Waits for all, and rejects if one of them does: its message comes again, and finds what the others have recorded. */
const all = async (ends: readonly Promise<void>[]): Promise<void> => {
  for (const end of await Promise.allSettled(ends)) if (end.status === 'rejected') throw end.reason;
};

export const handler = queueWorker(
  deliveryMessage,
  (batch) => {
    const deliveries = batch.map(({ body }) => deliveriesOf(body));
    // A batch is from one queue.
    const ends = deliverBatch(options, deliveries.flat(), laneOf(batch[0]?.queue));
    return deliveries.map(({ length }) => all(ends.splice(0, length)));
  },
  { atEnd: writeCounts },
);
