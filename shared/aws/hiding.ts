/**
 * Limits how long the messages of a batch stay hidden if their function is killed. SQS hides them for six timeouts of the function, because Lambda may
 * wait that long before it calls the function. Once a call is under way, they need to be hidden until its own end only.
 */
import type { Context, SQSRecord } from 'aws-lambda';
import type { QueueName } from '../contract.ts';
import { second } from '../foundation/clock.ts';
import { visibilitySeconds } from '../foundation/visibility.ts';
import { log } from './log.ts';
import { hideFor } from './queues.ts';

/** Nearly all invocations end earlier, without a request for this. */
const afterMs = second;
/** From the end of a call until Lambda has deleted what succeeded, in seconds. */
const marginSeconds = 10;

/** Ends the watch over a batch. Messages that failed stay hidden for the whole visibility timeout, as after a short call. */
type EndHiding = (failed: readonly SQSRecord[]) => Promise<void>;

/** Watches a batch that is processed now. The returned function never rejects: what it could not change stays hidden for longer. */
export const limitHiding = (
  queue: QueueName,
  records: readonly SQSRecord[],
  { getRemainingTimeInMillis: leftMs }: Pick<Context, 'getRemainingTimeInMillis'>,
): EndHiding => {
  const timeoutSeconds = leftMs() / second;
  let limited = Promise.resolve();
  let isLimited = false;
  const change = async (changed: readonly SQSRecord[], seconds: number): Promise<void> => {
    try {
      await hideFor(
        queue,
        changed.map(({ receiptHandle }) => receiptHandle),
        seconds,
      );
    } catch (error) {
      log.warn('The visibility of messages could not be changed', { error });
    }
  };
  const timer = setTimeout(() => {
    isLimited = true;
    limited = change(records, leftMs() / second + marginSeconds);
  }, afterMs);
  return async (failed) => {
    clearTimeout(timer);
    await limited;
    if (isLimited && failed.length > 0) await change(failed, visibilitySeconds(timeoutSeconds));
  };
};
