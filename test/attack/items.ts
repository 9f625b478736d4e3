/** The items of a table, as an attack compares them. */
import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';

export type StoredItem = Readonly<Record<string, AttributeValue>>;

const keyOf = ({ pk, sk }: StoredItem): string => `${pk?.S} ${sk?.S}`;

/** Returns all items except the counters of limits and last uses, which refused requests may change, sorted by key. */
export const itemsOf = async (dynamodb: DynamoDBClient, TableName: string): Promise<readonly StoredItem[]> => {
  const items: StoredItem[] = [];
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await dynamodb.send(new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return items.filter(({ pk }) => !/^(?:LIMIT|USED)#/.test(pk?.S ?? '')).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

/** Returns the keys of the items that were added, changed or removed. */
export const changedKeys = (before: readonly StoredItem[], after: readonly StoredItem[]): readonly string[] => {
  const known = new Map(before.map((item) => [keyOf(item), item]));
  const changed = after.filter((item) => !isDeepStrictEqual(known.get(keyOf(item)), item)).map(keyOf);
  const left = new Set(after.map(keyOf));
  return [...changed, ...[...known.keys()].filter((key) => !left.has(key))];
};
