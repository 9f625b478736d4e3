/** The outbox: messages that are stored with the change that causes them, and sent at least once, maybe twice. */
import { type Message, send, trySending } from '../aws/queues.ts';
import type { OutboxQueue } from '../contract.ts';
import { minute, systemClock } from '../foundation/clock.ts';
import { getMany } from '../table/batch.ts';
import { remove } from '../table/item.ts';
import type { Key } from '../table/table-key.ts';
import type { Write } from '../table/transaction.ts';
import { dueAt } from './due-index.ts';

export interface OutboxMessage extends Omit<Message, 'delaySeconds'> {
  readonly queue: OutboxQueue;
  /** Unique among the messages for its queue. */
  readonly id: string;
}

/** How long after it was stored the sweep sends a message: longer than the function that stored it can run. */
export const sweptAfterMs = minute;

const keyOf = ({ queue, id }: Pick<OutboxMessage, 'queue' | 'id'>): Key => ({
  pk: `OUTBOX#${queue}#${id}`,
  sk: 'OUTBOX',
});

/** Returns the write that stores a message. */
export const storeMessage = (message: OutboxMessage): Write => {
  const key = keyOf(message);
  return { kind: 'put', item: { ...key, message, ...dueAt(key, systemClock() + sweptAfterMs) } };
};

/** Sends messages that were just stored. Never rejects: the sweep sends those that the queue does not accept. */
export const sendStored = (messages: readonly OutboxMessage[]): Promise<void> =>
  trySending(messages.map(({ queue, id }) => `${id} (${queue})`).join(), sendAndDelete(messages));

/** Sends the messages of these due keys. @throws ServiceUnavailableError if a queue or the table is not available */
export const sendDueMessages = async (keys: readonly Key[]): Promise<void> =>
  sendAndDelete((await getMany<{ message: OutboxMessage }>(keys)).map(({ message }) => message));

const sendAndDelete = async (messages: readonly OutboxMessage[]): Promise<void> => {
  const byQueue = Map.groupBy(messages, ({ queue }) => queue);
  await Promise.all([...byQueue].map(([queue, ofQueue]) => send(queue, ofQueue)));
  await Promise.all(messages.map((message) => remove(keyOf(message))));
};
