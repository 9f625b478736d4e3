/** The batches with which the deliver function is measured, and the bare loop it is compared with. */
import type { SQSEvent } from 'aws-lambda';
import { queueSources } from '../../shared/contract.ts';
import type { Act } from './cpu.ts';
import type { importDeliver } from './stubbed-aws.ts';

/** Deliveries in one message; also the number of connections to the receiver. */
export const ofMessage = 10;
/** The maximum number of messages in a batch of the normal lane. */
export const fullBatch = queueSources().find(({ queue }) => queue === 'deliveries')?.batchSize ?? Number.NaN;

/** Returns an act that runs the function on one batch of `size` deliveries. @throws Error if a delivery fails */
export const deliverBatch =
  ({ handler }: Pick<Awaited<ReturnType<typeof importDeliver>>, 'handler'>, next: () => object, size: number): Act =>
  async () => {
    const { batchItemFailures } = await handler(next() as SQSEvent, {
      awsRequestId: 'bench',
      getRemainingTimeInMillis: () => 30_000,
    });
    if (batchItemFailures.length > 0) throw new Error('A delivery failed.');
    return size;
  };

/** Returns an act in which the bare loop sends `size` requests at the same time, each with its own number. */
export const bareBatch = (post: (number: number) => Promise<unknown>, size: number): Act => {
  let number = 0;
  return async () => {
    await Promise.all(Array.from({ length: size }, () => post(number++)));
    return size;
  };
};
