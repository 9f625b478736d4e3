/** Sends to SQS in batches within SQS's limits, reports every failed message, and counts waiting messages. */
import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadQueueName, QueueName } from '../contract.ts';
import { queueUrl } from '../foundation/environment.ts';
import { MastheadError, ServiceUnavailableError } from '../foundation/errors.ts';
import { withFormat } from '../foundation/format.ts';
import { inBatches, messageText } from '../foundation/queue-message.ts';
import { semaphore } from '../foundation/semaphore.ts';
import { clientSettings, prepared } from './client-settings.ts';
import { log } from './log.ts';

// Pure, so that functions which import this file and send nothing are bundled without the client.
const client = /* @__PURE__ */ prepared(/* @__PURE__ */ new SQSClient(clientSettings));

/** Requests at a time: a request that waits for a connection counts against its own timeout. */
const limited = /* @__PURE__ */ semaphore(32);

export interface Message {
  readonly body: object;
  /** Seconds until it can be received; at most `maxDelaySeconds`. */
  readonly delaySeconds?: number;
  /** The group whose turn it takes in a fair queue: messages of busy groups wait behind those of quiet ones. */
  readonly group?: string;
}

/** Longest delay of a message in seconds (SQS limit). */
export const maxDelaySeconds = 900;

/** Sends messages in few requests. @throws ServiceUnavailableError if some were refused; all again are duplicates */
export const send = async (queue: QueueName, messages: readonly Message[]): Promise<void> => {
  const batches = inBatches(messages.map((message) => ({ ...message, text: messageText(withFormat(message.body)) })));
  await Promise.all(batches.map((batch) => limited(() => sendBatch(queue, batch))));
};

/** Sends a text to a queue's dead letters; `ops redrive` moves it back. @throws ServiceUnavailableError */
export const sendToDeadLetters = (queue: QueueName, text: string): Promise<void> =>
  sendBatch(`${queue}-dead`, [{ body: {}, text }]);

/** Waits until messages for due items are sent. Never rejects: the sweep sends those that the queue did not accept. */
export const trySending = async (what: string, sending: Promise<unknown>): Promise<void> => {
  try {
    await sending;
  } catch (error) {
    log.warn(`The sweep sends ${what}: the queue did not accept it`, { error });
  }
};

interface Written extends Message {
  readonly text: string;
}

const sendBatch = async (queue: QueueName | DeadQueueName, batch: readonly Written[]): Promise<void> => {
  let waiting = batch.map((message, position) => ({
    Id: String(position),
    MessageBody: message.text,
    DelaySeconds:
      message.delaySeconds === undefined ? undefined : Math.min(maxDelaySeconds, Math.ceil(message.delaySeconds)),
    MessageGroupId: message.group,
  }));
  for (let attempt = 0; attempt < 3; attempt++) {
    let failed: Set<string | undefined>;
    try {
      const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries: waiting }));
      failed = new Set(answer.Failed?.map((entry) => entry.Id));
    } catch (error) {
      throw error instanceof MastheadError ? error : new ServiceUnavailableError(error);
    }
    waiting = waiting.filter((entry) => failed.has(entry.Id));
    if (waiting.length === 0) return;
  }
  throw new ServiceUnavailableError(new Error(`${waiting.length} messages were not taken by the queue ${queue}`));
};

/** Returns about how many messages can be received, up to a minute old. @throws ServiceUnavailableError */
export const waitingMessages = async (queue: QueueName | DeadQueueName): Promise<number> => {
  const name = 'ApproximateNumberOfMessages';
  try {
    const answer = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl(queue), AttributeNames: [name] }),
    );
    return Number(answer.Attributes?.[name]);
  } catch (error) {
    throw new ServiceUnavailableError(error);
  }
};

/** Hides up to ten received messages, by their receipts, for some seconds. @throws what the client throws */
export const hideFor = async (queue: QueueName, receipts: readonly string[], seconds: number): Promise<void> => {
  const Entries = receipts.map((ReceiptHandle, position) => ({
    Id: String(position),
    ReceiptHandle,
    VisibilityTimeout: Math.ceil(seconds),
  }));
  await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl(queue), Entries }));
};
