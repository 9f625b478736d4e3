/** Subscribers that tests put into the table directly, because it takes too long to create thousands of webhooks. */
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { FreshStack } from './parts.ts';

/** Adds so many subscribers of one integration, whose webhooks do not exist. */
export const addSubscribers = async (stack: FreshStack, event: string, count: number): Promise<void> => {
  const items = Array.from({ length: count }, (_, index) => {
    const webhook_id = index.toString(16).padStart(24, '0');
    return { pk: `EVENT#${event}`, sk: `SUBSCRIBER#${webhook_id}`, webhook_id, integration_id: 'b'.repeat(24) };
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
