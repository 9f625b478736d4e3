/** Which queue a delivery takes: quick receivers keep to the fast lane, so that no slow one shares a batch with them. */
import type { Message } from '../aws/queues.ts';
import type { QueueName } from '../contract.ts';
import type { Clock } from '../foundation/clock.ts';
import type { DeliveryMessage } from './delivery.ts';
import { isFast, type Receiver } from './receivers/receiver.ts';

interface Ports {
  readonly send: (queue: QueueName, messages: readonly Message[]) => Promise<void>;
  readonly readReceivers: (origins: Iterable<string>) => Promise<ReadonlyMap<string, Receiver>>;
  readonly clock: Clock;
  /** The schedule's wait before a first attempt. */
  readonly firstWaitSeconds: number;
}

/** Makes a sender of first attempts; `receiver` is an origin. */
export const sendToLanes =
  ({ send, readReceivers, clock, firstWaitSeconds }: Ports) =>
  async (deliveries: readonly (DeliveryMessage & { readonly receiver: string })[]): Promise<void> => {
    if (deliveries.length === 0) return;
    const receivers = await readReceivers(deliveries.map(({ receiver }) => receiver));
    const now = clock();
    const fast: Message[] = [];
    const slow: Message[] = [];
    const wait = firstWaitSeconds > 0 && { delaySeconds: firstWaitSeconds };
    for (const { receiver, ...body } of deliveries) {
      const known = receivers.get(receiver);
      const lane = known !== undefined && isFast(known, now) ? fast : slow;
      lane.push({ body, group: groupOf(receiver), ...wait });
    }
    await Promise.all([fast.length > 0 && send('deliveries', fast), slow.length > 0 && send('slow-deliveries', slow)]);
  };

/** A fair queue's group: the receiver. SQS limit: 128 characters, of which an origin may use none that is not ASCII. */
export const groupOf = (origin: string): string => origin.slice(0, 128);
