/** What all queue workers share: parsing messages, reporting failures one by one, and logging one line per batch. */
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import type { QueueName } from '../contract.ts';
import { memoized } from '../foundation/cache.ts';
import { systemClock } from '../foundation/clock.ts';
import { FormatError, unreadable } from '../foundation/format.ts';
import { limitHiding } from './hiding.ts';
import { log } from './log.ts';
import { flushMetrics } from './metrics.ts';
import { sendToDeadLetters } from './queues.ts';
import { watched } from './watched.ts';

/** A message as a worker sees it. */
export interface Received<T> {
  readonly body: T;
  /** SQS's message id, which stays the same at each receive. */
  readonly messageId: string;
  /** When it was first sent, in epoch ms. */
  readonly sentAt: number;
  /** The queue of the batch. */
  readonly queue: QueueName;
}

type WorkerContext = Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>;

interface Options {
  readonly parse?: (json: string) => unknown;
  readonly atEnd?: () => Promise<void>;
}

/**
 * Makes the handler of a function that is fed by a queue. A rejected message is tried again for hours, so that an outage of the table
 * loses nothing; one that is itself at fault becomes a dead letter after ten receives.
 * @param work gets the batch and the time at which Lambda ends the invocation (epoch ms), and returns a promise for each message
 * @param parse parses the JSON of a message, or throws
 * @param atEnd is awaited after the last message of a batch
 */
export const queueWorker = <T>(
  schema: v.GenericSchema<unknown, T>,
  work: (batch: readonly Received<T>[], timeoutAt: number) => readonly Promise<unknown>[],
  { parse = JSON.parse, atEnd }: Options = {},
) => {
  const handle = async (event: SQSEvent, context: WorkerContext): Promise<SQSBatchResponse> => {
    // An event source mapping reads one queue.
    const queue = queueOf(event.Records[0]?.eventSourceARN ?? '');
    const endHiding = limitHiding(queue, event.Records, context);
    let failed: readonly SQSRecord[] = event.Records;
    try {
      failed = await workOn(queue, event.Records, context);
    } finally {
      await endHiding(failed);
    }
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

  /** Processes a batch and returns the records to report as failed. */
  const workOn = async (
    queue: QueueName,
    received: readonly SQSRecord[],
    context: WorkerContext,
  ): Promise<SQSRecord[]> => {
    const batch: Received<T>[] = [];
    const records: SQSRecord[] = [];
    const failed: Failure[] = [];
    for (const record of received) {
      const read = readMessage(schema, parse, record.body);
      if (read.ok) {
        batch.push({
          body: read.body,
          messageId: record.messageId,
          sentAt: Number(record.attributes.SentTimestamp),
          queue,
        });
        records.push(record);
      } else {
        failed.push({ record, isOfTheMessage: true });
        logOf(record)('A message cannot be read', { message_id: record.messageId, reason: read.reason });
      }
    }
    const ends = await Promise.allSettled(work(batch, systemClock() + context.getRemainingTimeInMillis()));
    ends.forEach((end, position) => {
      const record = records[position];
      if (end.status === 'fulfilled' || record === undefined) return;
      failed.push({ record, isOfTheMessage: isOfTheMessage(end.reason) });
      logOf(record)('A message could not be processed; it becomes visible again after the visibility timeout', {
        message_id: record.messageId,
        request_id: context.awsRequestId,
        error: end.reason,
      });
    });
    await atEnd?.();
    flushMetrics();
    const remaining = await Promise.all(failed.map((failure) => buried(queue, failure)));
    return failed.flatMap(({ record }, position) => (remaining[position] ? [] : [record]));
  };
  return watched(handle);
};

/**
 * Returns how a failure of a message is logged: as an error, which the alarm `faults` counts, at its first receive only. The repeats of one message
 * would keep the alarm on for hours, and so roll back every release. If a message stays, the alarms on old messages and dead letters tell.
 */
const logOf = ({ attributes }: SQSRecord): typeof log.error =>
  Number(attributes.ApproximateReceiveCount) > 1 ? log.warn : log.error;

interface Failure {
  readonly record: SQSRecord;
  readonly isOfTheMessage: boolean;
}

/** The receives, including throttled ones, after which a faulty message becomes a dead letter: half an hour at the timeout of most workers. */
const poisonReceives = 10;

/** Moves a message to the dead letters, and returns whether that succeeded. SQS itself does it only after hours of receives (`infra/cdk/queue-times.ts`). */
const buried = async (queue: QueueName, { record, isOfTheMessage }: Failure): Promise<boolean> => {
  if (!isOfTheMessage || Number(record.attributes.ApproximateReceiveCount) < poisonReceives) return false;
  const ids = { message_id: record.messageId };
  try {
    await sendToDeadLetters(queue, record.body);
    log.warn('A message is at fault and was moved to the dead letters', ids);
    return true;
  } catch (error) {
    log.warn('A message is at fault and could not be moved to the dead letters; it becomes visible again', {
      ...ids,
      error,
    });
    return false;
  }
};

/** Returns whether an error is caused by the message and our code, so that it would happen again. AWS clients mark errors in their answers. */
const isOfTheMessage = (error: unknown): boolean =>
  error instanceof FormatError ||
  v.isValiError(error) ||
  (programming.some((kind) => error instanceof kind) &&
    !(error instanceof Error && ('$metadata' in error || '$response' in error)));

const programming = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Reads the text of a message. Refuses a message from a release that is not adjacent to this one: a later receive may reach a release that knows it. */
const readMessage = <T>(
  schema: v.GenericSchema<unknown, T>,
  parse: (json: string) => unknown,
  text: string,
): { readonly ok: true; readonly body: T } | { readonly ok: false; readonly reason: string } => {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    // An error of the parser quotes the message, which the log must not have.
    return { ok: false, reason: error instanceof FormatError ? error.message : 'It is not JSON.' };
  }
  const reason = typeof value === 'object' && value !== null ? unreadable(value) : undefined;
  if (reason !== undefined) return { ok: false, reason };
  const { success, output, issues } = v.safeParse(schema, value);
  return success ? { ok: true, body: output } : { ok: false, reason: v.summarize(issues) };
};

/** All queues. Importing the list would add the contract, 13 kB, to every worker's bundle; the type check fails if one is missing. */
const queues = {
  mail: true,
  events: true,
  replays: true,
  deliveries: true,
  'slow-deliveries': true,
  deletions: true,
} as const satisfies Record<QueueName, true>;
/** Longer names first, because `slow-deliveries` ends in `deliveries`. */
const longestFirst = (Object.keys(queues) as QueueName[]).sort((one, other) => other.length - one.length);

/** Physical names end in the queue's name (`masthead-<stage>-<queue>`). */
const queueOf = memoized((arn): QueueName => {
  const queue = longestFirst.find((name) => arn.endsWith(`-${name}`));
  if (queue === undefined) throw new Error(`No queue of the contract has the ARN ${arn}.`);
  return queue;
});
