/** Puts deliveries by hand on their way. */
import { log } from '../aws/log.ts';
import type { DeliveryMessage } from './delivery.ts';
import { sendToLanes } from './lanes.ts';

/** Never fails: the delivery is in the table and due, so that the sweep sends what could not be sent here. */
export const sendNow = async (message: DeliveryMessage): Promise<void> => {
  try {
    await sendToLanes([{ message, lane: 'slow' }]);
  } catch (error) {
    log.warn('A delivery by hand waits for the sweep, the queue took no message', { error: error as Error });
  }
};
