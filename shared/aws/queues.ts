/** Sending to SQS: batches, cut to SQS's limits, with what failed reported and never swallowed. */
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { QueueName } from '../contract.ts';
import { queueUrl } from '../environment.ts';
import { ServiceUnavailableError } from '../errors.ts';

const client = new SQSClient({ maxAttempts: 4 });

export interface Message {
  readonly body: unknown;
  /** Seconds until it can be received: at most 900 (SQS limit). */
  readonly delaySeconds?: number;
  /** Whose turn it is in a fair queue: a message of a busy group waits behind those of quiet ones. */
  readonly group?: string;
}

/** SQS limits of one SendMessageBatch: ten messages and 1 MiB in all; a margin is left for attributes. */
const batchMessages = 10;
const batchBytes = 1024 * 1024 - 16 * 1024;
export const longestDelaySeconds = 900;

/**
 * Sends messages, in as few requests as SQS allows.
 * @throws ServiceUnavailableError where not all were taken; some may have been, so that sending all again doubles those
 */
export const send = async (queue: QueueName, messages: readonly Message[]): Promise<void> => {
  const batches = inBatches(messages.map((message) => ({ ...message, text: textOf(message.body) })));
  await Promise.all(batches.map((batch) => sendBatch(queue, batch)));
};

/**
 * JSON, with whatever is not plainly allowed in a message escaped: SQS takes neither U+FFFE nor U+FFFF anywhere
 * (SendMessage), and fauxqs no pair of surrogates.
 */
const textOf = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

interface Written extends Message {
  readonly text: string;
}

const inBatches = (messages: readonly Written[]): Written[][] => {
  const batches: Written[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const size = Buffer.byteLength(message.text);
    const last = batches.at(-1);
    if (last === undefined || last.length === batchMessages || bytes + size > batchBytes) {
      batches.push([message]);
      bytes = size;
    } else {
      last.push(message);
      bytes += size;
    }
  }
  return batches;
};

const sendBatch = async (queue: QueueName, batch: readonly Written[]): Promise<void> => {
  let waiting = batch.map((message, position) => ({
    Id: String(position),
    MessageBody: message.text,
    DelaySeconds:
      message.delaySeconds === undefined ? undefined : Math.min(longestDelaySeconds, Math.ceil(message.delaySeconds)),
    MessageGroupId: message.group,
  }));
  for (let attempt = 0; attempt < 3; attempt++) {
    let failed: Set<string | undefined>;
    try {
      const answer = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries: waiting }));
      failed = new Set(answer.Failed?.map((entry) => entry.Id));
    } catch (error) {
      throw new ServiceUnavailableError(error);
    }
    waiting = waiting.filter((entry) => failed.has(entry.Id));
    if (waiting.length === 0) return;
  }
  throw new ServiceUnavailableError(new Error(`${waiting.length} messages were not taken by the queue ${queue}`));
};
