/**
 * Moves the messages of one queue to another. Sends each before it deletes it, so an interrupted run duplicates some
 * and loses none. SQS's own StartMessageMoveTask stops at the first message that did not come from a queue.
 */
import {
  DeleteMessageBatchCommand,
  type DeleteMessageBatchRequestEntry,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { inBatches } from '../../../shared/foundation/queue-message.ts';

export interface Move {
  readonly client: SQSClient;
  /** URLs. */
  readonly from: string;
  readonly to: string;
  /** Called after each batch with the number of messages moved so far. */
  readonly onMoved: (count: number) => void;
}

export interface Unmoved {
  readonly id: string;
  readonly reason: string;
}

/** How long a batch is hidden, in seconds: longer than moving takes. After an interruption it is visible then. */
export const hiddenSeconds = 60;

/** Moves all messages that can be moved; returns the rest. @throws the SDK's Error; messages not deleted stay */
export const moveMessages = async ({ client, from, to, onMoved }: Move): Promise<readonly Unmoved[]> => {
  /** Ids of sent messages, so that none is sent twice. `arrived` has their new ids, with which they may come back. */
  const sent = new Set<string>();
  const arrived = new Set<string>();
  const left = new Map<string, string>();
  let count = 0;
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: from,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: hiddenSeconds,
        // Long polling asks all servers of the queue; a short poll may miss messages.
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return [...left].map(([id, reason]) => ({ id, reason }));
    const packed: { readonly text: string; readonly message: Message }[] = [];
    const done: Message[] = [];
    for (const message of Messages) {
      const id = idOf(message);
      if (sent.has(id)) done.push(message);
      else if (arrived.has(id)) left.set(id, 'it was moved and has failed again');
      else if (!left.has(id)) packed.push({ text: message.Body ?? '', message });
    }
    for (const batch of inBatches(packed)) {
      const { Successful = [], Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: to,
          Entries: batch.map(({ text, message }, position) => ({
            Id: String(position),
            MessageBody: text,
            MessageAttributes: message.MessageAttributes,
            MessageGroupId: message.Attributes?.MessageGroupId,
          })),
        }),
      );
      const messageOf = (position: string | undefined) => batch[Number(position)]?.message ?? {};
      for (const { Id, MessageId } of Successful) {
        sent.add(idOf(messageOf(Id)));
        arrived.add(MessageId ?? '');
        done.push(messageOf(Id));
      }
      for (const { Id, Code, Message } of Failed)
        left.set(idOf(messageOf(Id)), `the queue refused it: ${Code} ${Message}`);
      count += Successful.length;
    }
    for (const message of done) left.delete(idOf(message));
    for (const message of await deleted(client, from, done))
      left.set(idOf(message), 'it was moved, but could not be deleted here: the next run moves it again');
    onMoved(count);
  }
};

const idOf = ({ MessageId = '' }: Message): string => MessageId;

/** Deletes messages; returns the messages that SQS could not delete in three attempts. */
const deleted = async (
  client: SQSClient,
  QueueUrl: string,
  messages: readonly Message[],
): Promise<readonly Message[]> => {
  let waiting = messages;
  for (let attempt = 0; attempt < 3 && waiting.length > 0; attempt++) {
    const Entries: DeleteMessageBatchRequestEntry[] = waiting.map(({ ReceiptHandle }, position) => ({
      Id: String(position),
      ReceiptHandle,
    }));
    const { Failed = [] } = await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    const failed = new Set(Failed.map(({ Id }) => Id));
    waiting = waiting.filter((_, position) => failed.has(String(position)));
  }
  return waiting;
};
