/** Reads partitions of the table for the checks. */
import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';

/** Yields the items of a partition whose sort keys begin with a text. */
export async function* itemsOf<Item>(client: DynamoDBDocumentClient, TableName: string, pk: string, prefix: string) {
  const pages = paginateQuery(
    { client },
    {
      TableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    },
  );
  for await (const { Items = [] } of pages) yield* Items as Item[];
}
