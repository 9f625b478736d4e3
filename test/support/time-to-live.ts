/** Time to live: DynamoDB deletes an item at any moment after its `expires_at`. */
import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { FreshStack } from './parts.ts';

/** Deletes the items of a stack that have expired by now. */
export const deleteExpired = async ({ dynamodb, tableName: TableName }: FreshStack): Promise<void> => {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  for (const { pk, sk, expires_at } of Items)
    if (pk !== undefined && sk !== undefined && Number(expires_at?.N ?? Number.POSITIVE_INFINITY) * 1000 <= Date.now())
      await dynamodb.send(new DeleteItemCommand({ TableName, Key: { pk, sk } }));
};
