/** The items of a table, as an attack compares them. */
import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

/** Returns all items except the counters of limits and last uses, which refused requests may change, sorted by key. */
export const itemsOf = async (
  dynamodb: DynamoDBClient,
  TableName: string,
): Promise<readonly Record<string, AttributeValue>[]> => {
  const items: Record<string, AttributeValue>[] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await dynamodb.send(new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  const keyOf = ({ pk, sk }: Record<string, AttributeValue>) => `${pk?.S} ${sk?.S}`;
  return items.filter(({ pk }) => !/^(?:LIMIT|USED)#/.test(pk?.S ?? '')).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};
