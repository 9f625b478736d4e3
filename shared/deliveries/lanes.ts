/** Two lanes, so that first attempts of healthy webhooks do not wait for retries and for slow or failing webhooks. */
import { type Message, maxDelaySeconds, send } from '../aws/queues.ts';
import type { QueueName } from '../contract.ts';
import { second } from '../foundation/clock.ts';
import { type Delivery, messageOf } from './delivery.ts';
import { fairnessGroupOf, type QueueMessage } from './records/messages.ts';

export type Lane = 'normal' | 'slow';

const queues: Readonly<Record<Lane, QueueName>> = { normal: 'deliveries', slow: 'slow-deliveries' };

/** Returns the lane of a queue. */
export const laneOf = (queue: QueueName | undefined): Lane => (queue === queues.normal ? 'normal' : 'slow');

export interface LaneMessage {
  readonly message: QueueMessage;
  readonly lane: Lane;
  readonly delaySeconds?: number;
  /** The group whose turn it takes in a fair queue. Default: that of its webhooks. */
  readonly group?: string;
}

/** Returns a delivery's next message; undefined if it waits longer than a message can. */
export const nextMessageOf = (delivery: Delivery, now: number): LaneMessage | undefined => {
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(delivery.next_attempt_at ?? '') - now) / second));
  return delaySeconds > maxDelaySeconds ? undefined : { message: messageOf(delivery), lane: 'slow', delaySeconds };
};

/**
 * Sends attempts to their lanes, each in its fairness group, so that no busy webhook and no wide publisher delays
 * others. The only way into the delivery queues.
 * @throws ServiceUnavailableError if not all were accepted; some may have been sent; sending all again duplicates those
 */
export const sendToLanes = async (attempts: readonly LaneMessage[]): Promise<void> => {
  const sent: Record<Lane, Message[]> = { normal: [], slow: [] };
  for (const { message, lane, delaySeconds, group } of attempts)
    sent[lane].push({
      body: message,
      group: group ?? fairnessGroupOf(message),
      ...(delaySeconds !== undefined && delaySeconds > 0 && { delaySeconds }),
    });
  await Promise.all(
    (['normal', 'slow'] as const).flatMap((lane) => (sent[lane].length > 0 ? [send(queues[lane], sent[lane])] : [])),
  );
};
