/** Puts deliveries by hand on their way. */
import { log } from '../aws/log.ts';
import { send } from '../aws/queues.ts';
import type { DeliveryMessage } from './delivery.ts';

/** Never fails: the delivery is in the table and due, so that the sweep sends what could not be sent here. */
export const sendNow = async (message: DeliveryMessage): Promise<void> => {
  try {
    await send('slow-deliveries', [{ body: message }]);
  } catch (error) {
    log.warn('A delivery by hand waits for the sweep, the queue took no message', { error: error as Error });
  }
};
