/** Compares two tables page by page, and copies what the other table lacks. */
import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';

/** Keys of one BatchGetItem (AWS limit), and so the items of a page. */
const pageSize = 100;

export type Item = Record<string, AttributeValue>;

export const countsSchema = v.object({
  compared: v.number(),
  /** How many of them the other table lacks, by the prefix of their partition key, such as `WEBHOOK#`. */
  missing: v.record(v.string(), v.number()),
  copied: v.number(),
});
export type Counts = v.InferOutput<typeof countsSchema>;
export const noCounts: Counts = { compared: 0, missing: {}, copied: 0 };

export const cursorSchema = v.object({ pk: v.string(), sk: v.string() });
export type Cursor = v.InferOutput<typeof cursorSchema>;

export interface Comparison {
  readonly from: string;
  readonly to: string;
  /** Selects items by the beginning of their partition keys; all without it. */
  readonly only?: readonly string[] | undefined;
  readonly copy: boolean;
  readonly cursor?: Cursor | undefined;
  readonly counts: Counts;
  /** Called after each page; the cursor is undefined after the last one. */
  readonly onPage: (cursor: Cursor | undefined, counts: Counts) => void;
}

/** Reads the whole table `from` and looks each item up in `to`. An item that exists there is never changed. */
export const compare = async (client: DynamoDBClient, options: Comparison): Promise<Counts> => {
  const { from, to, only, copy, onPage } = options;
  let counts = options.counts;
  let start = options.cursor && { pk: { S: options.cursor.pk }, sk: { S: options.cursor.sk } };
  do {
    const page = await client.send(
      new ScanCommand({ TableName: from, Limit: pageSize, ExclusiveStartKey: start, ConsistentRead: true }),
    );
    const selected = (page.Items ?? []).filter((item) => isSelected(item, only) && !isExpired(item));
    const missing = await missingIn(client, to, selected);
    const copied = copy ? await Promise.all(missing.map((item) => putIfAbsent(client, to, item))) : [];
    counts = {
      compared: counts.compared + selected.length,
      missing: added(counts.missing, missing),
      copied: counts.copied + copied.filter(Boolean).length,
    };
    start = page.LastEvaluatedKey && keyOf(page.LastEvaluatedKey);
    onPage(start && { pk: start.pk.S, sk: start.sk.S }, counts);
  } while (start !== undefined);
  return counts;
};

const keyOf = ({ pk, sk }: Item) => ({ pk: { S: pk?.S ?? '' }, sk: { S: sk?.S ?? '' } });

/** Returns `WEBHOOK#` for `WEBHOOK#6520…`, and a whole key such as `STAFF`. */
export const beginningOf = ({ pk }: Item): string => /^[A-Z_]+#?/.exec(pk?.S ?? '')?.[0] ?? '';

const isSelected = (item: Item, only: readonly string[] | undefined): boolean =>
  only === undefined || only.includes(beginningOf(item));

/** Items that time to live would delete are not restored. */
const isExpired = ({ expires_at }: Item): boolean =>
  expires_at?.N !== undefined && Number(expires_at.N) * 1000 <= Date.now();

const added = (sums: Counts['missing'], items: readonly Item[]): Counts['missing'] => {
  const all = { ...sums };
  for (const item of items) all[beginningOf(item)] = (all[beginningOf(item)] ?? 0) + 1;
  return all;
};

const textOf = (item: Item): string => JSON.stringify([item.pk?.S, item.sk?.S]);

const missingIn = async (client: DynamoDBClient, TableName: string, items: readonly Item[]): Promise<Item[]> => {
  const found = new Set<string>();
  let keys: Item[] = items.map(keyOf);
  // DynamoDB may answer only partially.
  while (keys.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [TableName]: { Keys: keys, ProjectionExpression: 'pk, sk', ConsistentRead: true } },
      }),
    );
    for (const item of Responses?.[TableName] ?? []) found.add(textOf(item));
    keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  return items.filter((item) => !found.has(textOf(item)));
};

/** Writes an item, and returns whether it was written; false if it exists by now. */
const putIfAbsent = async (client: DynamoDBClient, TableName: string, Item: Item): Promise<boolean> => {
  try {
    await client.send(new PutItemCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
};
