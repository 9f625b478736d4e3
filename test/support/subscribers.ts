/** Subscribers of an event that tests put into the table directly, because thousands of webhooks would take too long to create. */
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { FreshStack } from './parts.ts';

/** Adds so many subscribers, whose webhooks do not exist, in groups of ten: each group gets a message. */
export const addSubscribers = async (stack: FreshStack, event: string, count: number): Promise<void> => {
  const items = Array.from({ length: count }, (_, index) => {
    const group = Math.floor(index / 10).toString(16);
    const webhook_id = `${group.padStart(22, '0')}0${index % 10}`;
    return { pk: `EVENT#${event}`, sk: `SUBSCRIBER#${webhook_id}`, webhook_id };
  });
  const batches = Array.from({ length: Math.ceil(count / 25) }, (_, at) => items.slice(at * 25, at * 25 + 25));
  await Promise.all(
    batches.map((batch) =>
      stack.dynamodb.send(
        new BatchWriteItemCommand({
          RequestItems: { [stack.tableName]: batch.map((item) => ({ PutRequest: { Item: marshall(item) } })) },
        }),
      ),
    ),
  );
};
