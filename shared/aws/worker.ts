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

export interface Received<T> {
  readonly body: T;
  /** SQS's message id, which stays the same at each receive. */
  readonly messageId: string;
  /** When it was first sent, in epoch ms. */
  readonly sentAt: number;
  readonly queue: QueueName;
}

type WorkerContext = Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>;

interface Options {
  readonly parse?: (json: string) => unknown;
  readonly atEnd?: () => Promise<void>;
}

/**
 * Makes the handler of a function that is fed by a queue. A rejected message is tried for hours, so that an outage of
 * the table loses nothing; one that is itself at fault becomes a dead letter after ten receives.
 * @param work gets the batch and when Lambda ends the invocation (epoch ms), and returns a promise per message
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
      logOf(record)('A message could not be processed; it is tried again later', {
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

/** Logs a failure as an error at the first receive only: repeats would keep the alarm on, and roll releases back. */
const logOf = ({ attributes }: SQSRecord): typeof log.error =>
  Number(attributes.ApproximateReceiveCount) > 1 ? log.warn : log.error;

interface Failure {
  readonly record: SQSRecord;
  readonly isOfTheMessage: boolean;
}

/** Receives, throttled ones included, until a faulty message is a dead letter: twenty minutes at most timeouts. */
const poisonReceives = 10;

/** Moves a message to the dead letters if it can; SQS does so only after hours (`infra/cdk/queue-times.ts`). */
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

/** Returns whether the message and our code cause an error, so that it repeats. AWS clients mark their own errors. */
const isOfTheMessage = (error: unknown): boolean =>
  error instanceof FormatError ||
  v.isValiError(error) ||
  (programming.some((kind) => error instanceof kind) &&
    !(error instanceof Error && ('$metadata' in error || '$response' in error)));

const programming = [TypeError, RangeError, ReferenceError, SyntaxError];

/** Parses a message. Refuses one of a release that is not adjacent: a later receive may reach one that knows it. */
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

/** All queues. The contract's list would add 13 kB to every worker; the type check fails if one is missing. */
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
