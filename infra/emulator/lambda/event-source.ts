/**
 * Reads a queue as Lambda's event source mapping does: in batches, with a maximum concurrency. Deletes what
 * succeeded, and leaves the rest to the visibility timeout and the redrive policy.
 */
import type { SQSBatchResponse, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import { accountId } from '../account.ts';
import type { EventSource } from '../deployment.ts';
import type { Queue, Queues } from '../parts/fauxqs.ts';
import type { Pool } from './pool.ts';

export interface RunningEventSource {
  /** Receives no further messages; resolves when the running batches are done. */
  stop(): Promise<void>;
}

/** Hooks for fault injection and counts. */
export interface QueueEvents {
  /** Milliseconds by which an injected fault delays a message. */
  lateness(): number;
  isShownAgain(): boolean;
  /** Called with the bytes of a processed batch and the number of its deleted messages. */
  onBatch(bytes: number, deleted: number): void;
}

/** The maximum wait in ms for a message that became visible without an event of the queue. */
const safetyPollMs = 5000;

/** The queue wakes the reader: fauxqs's long polling checks all messages every 20 ms and wakes all readers at once. */
export const readQueue = (
  source: EventSource,
  queues: Queues,
  pool: Pick<Pool, 'invoke'>,
  events: QueueEvents,
): RunningEventSource => {
  const found = queues.getQueueByArn(source.queueArn);
  if (found === undefined) throw new Error(`the queue ${source.queueArn} does not exist`);
  const queue: Queue = found;
  const batches = new Set<Promise<void>>();
  let stopped = false;
  let woken: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let firstSeen: number | undefined;

  const wake = () => {
    // Wait until the end of this turn of the event loop, to receive as one batch what is being sent as one.
    if (!stopped) woken ??= setImmediate(fill);
  };
  const wakeAt = (time: number) => {
    if (time >= timerAt || stopped) return;
    clearTimeout(timer);
    timerAt = time;
    timer = setTimeout(
      () => {
        timerAt = Number.POSITIVE_INFINITY;
        fill();
        wakeAtNext();
      },
      Math.max(0, time - Date.now()),
    );
  };
  const wakeAtNext = () => {
    let next = Number.POSITIVE_INFINITY;
    for (const { delayUntil } of queue.delayedMessages) next = Math.min(next, delayUntil ?? 0);
    for (const { visibilityDeadline } of queue.inflightMessages.values()) next = Math.min(next, visibilityDeadline);
    if (next < Number.POSITIVE_INFINITY) wakeAt(next);
  };

  const fill = () => {
    woken = undefined;
    while (!stopped && batches.size < source.maxConcurrency) {
      if (waitsForMore()) return;
      const received = queue.dequeue(source.batchSize, undefined, (arn) => queues.getQueueByArn(arn));
      if (received.length === 0) return;
      firstSeen = undefined;
      const batch = work(received).finally(() => {
        batches.delete(batch);
        fill();
      });
      batches.add(batch);
    }
  };
  const waitsForMore = () => {
    const waiting = queue.messages.length;
    if (source.windowMs === 0 || waiting === 0 || waiting >= source.batchSize) return false;
    firstSeen ??= Date.now();
    const end = firstSeen + source.windowMs;
    if (end <= Date.now()) return false;
    wakeAt(end);
    return true;
  };
  const work = async (received: readonly Received[]) => {
    const records = received.map((message) => toRecord(message, queue, source));
    const failed = failures(await pool.invoke({ Records: records }), records, source.reportsItemFailures);
    let deleted = 0;
    for (const { messageId, receiptHandle } of records) {
      if (failed.has(messageId)) wakeAt(queue.inflightMessages.get(receiptHandle)?.visibilityDeadline ?? 0);
      else if (events.isShownAgain()) {
        queue.changeVisibility(receiptHandle, 0);
        wake();
      } else {
        queue.deleteMessage(receiptHandle);
        deleted += 1;
      }
    }
    events.onBatch(
      records.reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0),
      deleted,
    );
  };

  const enqueue = queue.enqueue.bind(queue);
  queue.enqueue = (message) => {
    const late = events.lateness();
    if (late > 0) message.delayUntil = Math.max(message.delayUntil ?? 0, Date.now()) + late;
    enqueue(message);
    if (message.delayUntil === undefined) wake();
    else wakeAt(message.delayUntil);
  };
  const safety = setInterval(fill, safetyPollMs);
  wakeAtNext();
  wake();

  return {
    async stop() {
      stopped = true;
      clearImmediate(woken);
      clearTimeout(timer);
      clearInterval(safety);
      queue.enqueue = enqueue;
      await Promise.all(batches);
    },
  };
};

type Received = ReturnType<Queue['dequeue']>[number];

const batchResponse = v.nullish(
  v.looseObject({
    batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.minLength(1)) })), []),
  }),
);

/** Returns the failed messages' ids: as on Lambda, all of them if the function failed or reported an unknown id. */
const failures = (
  run: Awaited<ReturnType<Pool['invoke']>>,
  records: readonly SQSRecord[],
  reportsItemFailures: boolean,
): ReadonlySet<string> => {
  const all = new Set(records.map(({ messageId }) => messageId));
  if (!run.ok) return all;
  if (!reportsItemFailures) return new Set();
  const response = v.safeParse(batchResponse, run.result);
  if (!response.success) return all;
  const { batchItemFailures }: SQSBatchResponse = { batchItemFailures: response.output?.batchItemFailures ?? [] };
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  return [...failed].every((id) => all.has(id)) ? failed : all;
};

const toRecord = (received: Received, queue: Queue, source: EventSource): SQSRecord => {
  const message = queue.inflightMessages.get(received.ReceiptHandle)?.message;
  const sent = String(message?.sentTimestamp ?? Date.now());
  return {
    messageId: received.MessageId,
    receiptHandle: received.ReceiptHandle,
    body: received.Body,
    attributes: {
      ApproximateReceiveCount: String(message?.approximateReceiveCount ?? 1),
      SentTimestamp: sent,
      SenderId: accountId,
      ApproximateFirstReceiveTimestamp: String(message?.approximateFirstReceiveTimestamp ?? sent),
    },
    messageAttributes: toAttributes(received.MessageAttributes ?? {}),
    md5OfBody: received.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: source.queueArn,
    awsRegion: source.queueArn.split(':')[3] ?? '',
  };
};

const toAttributes = (attributes: NonNullable<Received['MessageAttributes']>): SQSMessageAttributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue }]) => [
      name,
      { dataType: DataType, ...(StringValue !== undefined && { stringValue: StringValue }) },
    ]),
  );
