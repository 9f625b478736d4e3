/** Tools for queues in tests: send, look, and run the workers until a queue is empty. */
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import * as v from 'valibot';
import type { QueueName } from '../../shared/contract.ts';
import { format } from '../../shared/foundation/format.ts';
import { queueRecord } from './parts-event.ts';
import { InvocationKilled, type TestProxy } from './parts-proxy.ts';
import { queueDefinitions, region } from './parts-schema.ts';

const toRecord = (message: Message, arn: string): SQSRecord => {
  const { Body = '', MessageId = '', ReceiptHandle = '', Attributes } = message;
  const record = queueRecord({ body: Body, messageId: MessageId, receiptHandle: ReceiptHandle }, arn);
  return { ...record, attributes: { ...record.attributes, ...Attributes } };
};

export interface WaitingMessage {
  readonly messageId: string;
  /** Parsed from JSON, without its format. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the content of a message
  readonly body: any;
  /** Delay in seconds before it can be received. */
  readonly delaySeconds: number;
}

export interface TestQueues {
  queueUrl(queue: QueueName): string;
  queueArn(queue: QueueName): string;
  send(queue: QueueName, body: unknown): Promise<void>;
  sendDead(queue: QueueName, body: unknown): Promise<void>;
  /** Returns waiting and delayed messages, which stay in the queue. */
  messages(queue: QueueName): Promise<readonly WaitingMessage[]>;
  /** Returns for how many more seconds each received message stays hidden. */
  hiddenSeconds(queue: QueueName): Promise<readonly number[]>;
  take(queue: QueueName): Promise<readonly WaitingMessage[]>;
  deadMessages(queue: QueueName): Promise<readonly WaitingMessage[]>;
  /** Invokes a queue's worker with these bodies as one batch, without the queue; returns the failed indexes. */
  work(queue: QueueName, bodies: readonly unknown[]): Promise<readonly number[]>;
  /** Works until no message is visible, trying failed ones once; returns how many succeeded and failed. */
  drain(queue: QueueName): Promise<{ readonly succeeded: number; readonly failed: number }>;
}

interface Environment {
  readonly proxy: TestProxy;
  readonly stage: string;
  readonly sqs: SQSClient;
  readonly urls: ReadonlyMap<QueueName, string>;
  readonly origin: string;
  readonly invoke: (name: string, event: unknown) => Promise<unknown>;
}

/** The tools for the queues of one test file. */
export const queueTools = ({ proxy, stage, sqs, urls, origin, invoke }: Environment): TestQueues => {
  const queueUrl = (queue: QueueName) => {
    const url = urls.get(queue);
    if (url === undefined) throw new Error(`no function of the contract works on the queue ${queue}`);
    return url;
  };
  const nameOf = (queue: QueueName) => queueUrl(queue).split('/').at(-1) ?? '';
  const queueArn = (queue: QueueName) => `arn:aws:sqs:${region}:000000000000:${nameOf(queue)}`;
  const definition = (queue: QueueName) => {
    const found = queueDefinitions.find((candidate) => candidate.queue === queue);
    if (found === undefined) throw new Error(`no function of the contract works on the queue ${queue}`);
    return found;
  };
  const inspect = async (name: string): Promise<readonly WaitingMessage[]> => {
    const response = await fetch(`${origin}/_fauxqs/queues/${name}`);
    const { messages } = v.parse(inspectionSchema, await response.json());
    return [...messages.ready, ...messages.delayed].map(({ messageId, body, sentTimestamp, delayUntil }) => ({
      messageId,
      body: bodyOf(body),
      delaySeconds: delayUntil === undefined ? 0 : Math.round((delayUntil - sentTimestamp) / 1000),
    }));
  };
  const runBatch = async (queue: QueueName, records: readonly SQSRecord[]): Promise<ReadonlySet<string>> => {
    try {
      const answer = (await invoke(definition(queue).worker, { Records: records })) as SQSBatchResponse | undefined;
      return new Set(answer?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
    } catch (error) {
      if (!(error instanceof InvocationKilled)) throw error;
      return new Set(records.map(({ messageId }) => messageId));
    }
  };
  const show = (QueueUrl: string, { ReceiptHandle }: Message) =>
    sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  return {
    queueUrl,
    queueArn,
    async send(queue, body) {
      await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody: JSON.stringify(body) }));
    },
    async sendDead(queue, body) {
      await sqs.send(
        new SendMessageCommand({ QueueUrl: `${queueUrl(queue)}-dead`, MessageBody: JSON.stringify(body) }),
      );
    },
    messages: (queue) => inspect(nameOf(queue)),
    async hiddenSeconds(queue) {
      const response = await fetch(`${origin}/_fauxqs/queues/${nameOf(queue)}`);
      const { messages } = v.parse(hiddenSchema, await response.json());
      // The queue has the real time, unlike a test (`own-time.ts`).
      const now = performance.timeOrigin + performance.now();
      return messages.inflight.map(({ visibilityDeadline }) => (visibilityDeadline - now) / 1000);
    },
    async take(queue) {
      const messages = await inspect(nameOf(queue));
      await sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl(queue) }));
      return messages;
    },
    deadMessages: (queue) => inspect(`${nameOf(queue)}-dead`),
    async work(queue, bodies) {
      const records = bodies.map((body) => queueRecord({ body: textOf(body) }, queueArn(queue)));
      const failures = await runBatch(queue, records);
      return records.flatMap(({ messageId }, index) => (failures.has(messageId) ? [index] : []));
    },
    async drain(queue) {
      const QueueUrl = queueUrl(queue);
      const failed: Message[] = [];
      const late = new Set<string | undefined>();
      const worker = `masthead-${stage}-${definition(queue).worker.replaceAll('/', '-')}`;
      let succeeded = 0;
      for (;;) {
        const received = await sqs.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: definition(queue).batchSize,
            MessageSystemAttributeNames: ['All'],
          }),
        );
        const messages = received.Messages ?? [];
        if (messages.length === 0) break;
        const batch: Message[] = [];
        for (const message of messages)
          if (!late.has(message.MessageId) && proxy.faults.lateness(queue) > 0) {
            late.add(message.MessageId);
            await show(QueueUrl, message);
          } else batch.push(message);
        if (batch.length === 0) continue;
        const failures = await runBatch(
          queue,
          batch.map((message) => toRecord(message, queueArn(queue))),
        );
        let deleted = 0;
        for (const message of batch) {
          if (failures.has(message.MessageId ?? '')) failed.push(message);
          else if (proxy.faults.isShownAgain(queue)) await show(QueueUrl, message);
          else {
            await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
            deleted++;
          }
        }
        succeeded += deleted;
        proxy.counter.polled(worker, Buffer.byteLength(batch.map(({ Body }) => Body).join('')), deleted);
      }
      for (const message of failed) await show(QueueUrl, message);
      return { succeeded, failed: failed.length };
    },
  };
};

const bodyOf = (text: string): unknown => {
  const { format: _, ...body } = JSON.parse(text);
  return body;
};

/** A message as this release sends it. */
const textOf = (body: unknown): string =>
  JSON.stringify(typeof body === 'object' && body !== null && !Array.isArray(body) ? { format, ...body } : body);

const inspected = v.array(
  v.object({
    messageId: v.string(),
    body: v.string(),
    sentTimestamp: v.number(),
    delayUntil: v.optional(v.number()),
  }),
);
const hiddenSchema = v.object({
  messages: v.object({ inflight: v.array(v.object({ visibilityDeadline: v.number() })) }),
});
const inspectionSchema = v.object({ messages: v.object({ ready: inspected, delayed: inspected }) });
