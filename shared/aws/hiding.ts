/**
 * Limits how long messages stay hidden. SQS hides them for six timeouts, as Lambda may wait so long before it calls the
 * function. Once it runs, they need to be hidden until its end only, and after a failure for longer each time.
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

/** The wait after the first failure, which becomes four times as long with each receive, up to six timeouts. */
const firstRetrySeconds = 5;

/** Stops watching a batch, and says when its failed messages are tried again. */
type EndHiding = (failed: readonly SQSRecord[]) => Promise<void>;

/** Watches a running batch. The returned function never rejects: at worst, messages stay hidden for longer. */
export const limitHiding = (
  queue: QueueName,
  records: readonly SQSRecord[],
  { getRemainingTimeInMillis: leftMs }: Pick<Context, 'getRemainingTimeInMillis'>,
): EndHiding => {
  const timeoutSeconds = leftMs() / second;
  let limited = Promise.resolve();
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
    limited = change(records, leftMs() / second + marginSeconds);
  }, afterMs);
  return async (failed) => {
    clearTimeout(timer);
    await limited;
    const byWait = Map.groupBy(failed, (record) => retrySeconds(record, timeoutSeconds));
    await Promise.all([...byWait].map(([seconds, those]) => change(those, seconds)));
  };
};

const retrySeconds = ({ attributes }: SQSRecord, timeoutSeconds: number): number =>
  Math.min(
    firstRetrySeconds * 4 ** (Number(attributes.ApproximateReceiveCount) - 1),
    visibilitySeconds(timeoutSeconds),
  );
