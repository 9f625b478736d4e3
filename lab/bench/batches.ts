/** The batches with which the deliver function is measured, and a bare loop beside it. */
import type { SQSEvent } from 'aws-lambda';
import { queueSources } from '../../shared/contract.ts';
import type { Act } from './cpu.ts';
import type { importDeliver } from './stubbed-aws.ts';

/** The deliveries of a message, and the connections to the receiver. */
export const ofMessage = 10;
/** The most messages of a batch of the normal lane. */
export const fullBatch = queueSources().find(({ queue }) => queue === 'deliveries')?.batchSize ?? Number.NaN;

/** Returns the work of the function on one batch of so many deliveries. @throws if one fails */
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

/** Returns as many requests of the bare loop at the same time; each has another number. */
export const bareBatch = (post: (number: number) => Promise<unknown>, size: number): Act => {
  let number = 0;
  return async () => {
    await Promise.all(Array.from({ length: size }, () => post(number++)));
    return size;
  };
};
