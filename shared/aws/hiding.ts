/**
 * Limits how long the messages of a killed function stay hidden. SQS hides them for six timeouts, as Lambda may wait so
 * long before it calls the function; once it runs, they need to be hidden only until its end.
 */
import type { Context, SQSRecord } from 'aws-lambda';
import type { QueueName } from '../contract.ts';
import { second } from '../foundation/clock.ts';
import { visibilitySeconds } from '../foundation/visibility.ts';
import { log } from './log.ts';
import { hideFor } from './queues.ts';

/** Nearly all invocations end before this, and need no additional request. */
const afterMs = second;
/** Seconds from the end of a call until Lambda has deleted the successful messages. */
const marginSeconds = 10;

/** Stops watching a batch. Failed messages stay hidden for the whole visibility timeout, as after a short call. */
type EndHiding = (failed: readonly SQSRecord[]) => Promise<void>;

/** Watches a running batch. The returned function never rejects: at worst, messages stay hidden for longer. */
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
