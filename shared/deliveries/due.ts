/** Due deliveries: the sweep sends those that wait for longer than a message can be delayed. */
import type { DueKey } from '../due/due-index.ts';
import { getMany } from '../table/batch.ts';
import { type Delivery, isUnfinished, messageOf } from './delivery.ts';
import { sendToLanes } from './lanes.ts';

/** Sends the messages of the deliveries that still wait. @throws ServiceUnavailableError */
export const sendDueDeliveries = async (keys: readonly DueKey[]): Promise<void> => {
  const found = await getMany<Delivery & DueKey>(keys);
  const shown = new Map(keys.map(({ pk, sk, due_at }) => [`${pk} ${sk}`, due_at]));
  // The index may show an item as it was before it was moved; then the queue already has its message.
  const waiting = found.filter(
    (delivery) => isUnfinished(delivery) && delivery.due_at === shown.get(`${delivery.pk} ${delivery.sk}`),
  );
  await sendToLanes(waiting.map((delivery) => ({ message: messageOf(delivery), lane: 'slow' })));
};
