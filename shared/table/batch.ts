/** Reads or puts many items in one request, and repeats it until DynamoDB has processed all of them. */
import { BatchGetCommand, BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../foundation/environment.ts';
import { withFormat } from '../foundation/format.ts';
import { settleAll } from '../foundation/settle.ts';
import { client } from './client.ts';
import { readable } from './format.ts';
import { backOff, reachable } from './refusal.ts';
import { type Item, type Key, plain } from './table-key.ts';

/** Reads items by their keys, strongly consistent and in any order. Omits missing items. @throws FormatError */
export const getMany = async <T extends object>(keys: readonly Key[]): Promise<T[]> => {
  const found: T[] = [];
  const read = async (wanted: Record<string, unknown>[]): Promise<void> => {
    for (let attempt = 0, left = wanted; left.length > 0; attempt++) {
      const { Responses, UnprocessedKeys } = await reachable(
        client.send(new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: left, ConsistentRead: true } } })),
      );
      found.push(...(Responses?.[tableName()] ?? []).map(readable<T>));
      left = UnprocessedKeys?.[tableName()]?.Keys ?? [];
      if (left.length > 0) await backOff(attempt, new Error('BatchGetItem left keys unread'));
    }
  };
  // AWS limit: 100 items a BatchGetItem.
  const starts = Array.from({ length: Math.ceil(keys.length / 100) }, (_, batch) => 100 * batch);
  await Promise.all(starts.map((start) => read(keys.slice(start, start + 100).map(plain))));
  return found;
};

/** Puts items without conditions, replacing existing ones; each key once. A failed request does not stop the others. */
export const putMany = async (items: readonly Item[]): Promise<void> => {
  // AWS limit: 25 items a BatchWriteItem.
  const starts = Array.from({ length: Math.ceil(items.length / 25) }, (_, batch) => 25 * batch);
  await settleAll(starts.map((start) => putBatch(items.slice(start, start + 25))));
};

const putBatch = async (items: readonly Item[]): Promise<void> => {
  let requests = items.map((item) => ({ PutRequest: { Item: withFormat(item) } }));
  for (let attempt = 0; requests.length > 0; attempt++) {
    const { UnprocessedItems } = await reachable(
      client.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } })),
    );
    requests = (UnprocessedItems?.[tableName()] ?? []) as typeof requests;
    if (requests.length > 0) await backOff(attempt, new Error('BatchWriteItem left items unwritten'));
  }
};
