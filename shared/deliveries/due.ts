/** Due deliveries: the sweep sends those that wait for longer than a message can be delayed. */
import type { DueKey } from '../due/due-index.ts';
import { type DueHandler, limited } from '../due/sweep.ts';
import { getMany } from '../table/batch.ts';
import { type Delivery, isUnfinished, messageOf } from './delivery.ts';
import { sendToLanes } from './lanes.ts';
import { forgetDue } from './records/store.ts';

export const sendDueDeliveries: DueHandler = async (keys) => {
  const found = await getMany<Delivery & DueKey>(keys);
  const shown = new Map(keys.map(({ pk, sk, due_at }) => [`${pk} ${sk}`, due_at]));
  // The index may show an item as it was before it was moved; then the queue already has its message.
  const current = found.filter((delivery) => delivery.due_at === shown.get(`${delivery.pk} ${delivery.sk}`));
  const waiting = current.filter(isUnfinished);
  await sendToLanes(waiting.map((delivery) => ({ message: messageOf(delivery), lane: 'slow' })));
  await Promise.all(waiting.map((delivery) => limited(() => forgetDue(delivery))));
};
