/**
 * Moves the messages of one queue into another: sent first and deleted afterwards, so that a stop in between doubles some and loses none.
 * SQS's own StartMessageMoveTask cannot change a message on the way, and ends at the first one that no queue has sent there.
 */
import {
  DeleteMessageBatchCommand,
  type DeleteMessageBatchRequestEntry,
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { inBatches } from '../../../shared/foundation/queue-message.ts';

/** What is sent for a message. */
export interface Parcel {
  readonly text: string;
  readonly attributes: Readonly<Record<string, MessageAttributeValue>> | undefined;
  /** Of a fair queue. */
  readonly group: string | undefined;
}

export interface Move {
  readonly client: SQSClient;
  /** URLs. */
  readonly from: string;
  readonly to: string;
  /** Gives why the message is to stay, where it is. */
  readonly pack: (message: Message) => Parcel | { readonly stays: string };
  /** Called when messages have been moved, with how many there are by now. */
  readonly onMoved: (count: number) => void;
}

/** Message id and reason of one that stays where it is. */
export interface Left {
  readonly id: string;
  readonly reason: string;
}

/** Seconds in which a batch is sent and deleted, and after which what a stopped run had taken is seen again. */
export const takenSeconds = 60;

/**
 * Moves what is there, until nothing is left that can be moved; gives the messages that stay.
 * @throws Error of the SDK; what was neither sent nor deleted then is in the queue where it was
 */
export const moveMessages = async ({ client, from, to, pack, onMoved }: Move): Promise<readonly Left[]> => {
  /** Ids of what was sent, under which it may not be sent once more, and of what became of it, which would come around for ever. */
  const sent = new Set<string>();
  const arrived = new Set<string>();
  const left = new Map<string, string>();
  let count = 0;
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: from,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: takenSeconds,
        // Long polling asks all servers of the queue: a short poll may find nothing where something is.
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) return [...left].map(([id, reason]) => ({ id, reason }));
    const packed: (Parcel & { readonly message: Message })[] = [];
    const done: Message[] = [];
    for (const message of Messages) {
      const id = idOf(message);
      if (sent.has(id)) done.push(message);
      else if (arrived.has(id)) left.set(id, 'it was put back and has failed again');
      else if (!left.has(id)) {
        const parcel = pack(message);
        if ('stays' in parcel) left.set(id, parcel.stays);
        else packed.push({ ...parcel, message });
      }
    }
    for (const batch of inBatches(packed)) {
      const { Successful = [], Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: to,
          Entries: batch.map(({ text, attributes, group }, position) => ({
            Id: String(position),
            MessageBody: text,
            MessageAttributes: attributes,
            MessageGroupId: group,
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
        left.set(idOf(messageOf(Id)), `not taken by the queue: ${Code} ${Message}`);
      count += Successful.length;
    }
    for (const message of done) left.delete(idOf(message));
    for (const message of await deleted(client, from, done))
      left.set(idOf(message), 'it was put back, but could not be deleted here: the next run puts it back once more');
    onMoved(count);
  }
};

const idOf = ({ MessageId = '' }: Message): string => MessageId;

/** Deletes messages; gives those that SQS could not delete at the third time. */
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
