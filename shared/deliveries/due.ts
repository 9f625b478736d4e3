/** Due deliveries: the sweep sends those without a message. */
import { waitingMessages } from '../aws/queues.ts';
import type { DueKey } from '../due/due-index.ts';
import { type DueHandler, lookAgainMs } from '../due/sweep.ts';
import { systemClock } from '../foundation/clock.ts';
import { getMany } from '../table/batch.ts';
import { type Delivery, isUnfinished, messageOf } from './delivery.ts';
import { sendToLanes } from './lanes.ts';
import { watchLane } from './records/overdue.ts';

const withoutMessage = watchLane({ waiting: () => waitingMessages('slow-deliveries'), lookAgainMs });

export const sendDueDeliveries: DueHandler = async (keys) => {
  const found = await getMany<Delivery & DueKey>(keys);
  const shown = new Map(keys.map(({ pk, sk, due_at }) => [`${pk} ${sk}`, due_at]));
  // The index may show an item as it was before it was moved; then it already has another message.
  const current = found.filter((delivery) => delivery.due_at === shown.get(`${delivery.pk} ${delivery.sk}`));
  const lost = await withoutMessage(current.filter(isUnfinished), systemClock());
  await sendToLanes(lost.map((delivery) => ({ message: messageOf(delivery), lane: 'slow' })));
};
