/** Reads partitions in the order of their sort keys. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { TableIndex } from '../contract.ts';
import { tableName } from '../foundation/environment.ts';
import { client } from './client.ts';
import { type Condition, conditionExpression, Placeholders } from './condition.ts';
import { readable } from './format.ts';
import { reachable } from './refusal.ts';
import { type Key, plain } from './table-key.ts';

export interface Page<T> {
  readonly items: T[];
  /** Where the next page starts; undefined on the last page. */
  readonly next: Key | undefined;
}

export interface QueryOptions {
  readonly beginsWith?: string;
  /** Only sort keys from this one to that one, both included. */
  readonly between?: readonly [string, string];
  readonly limit?: number;
  /** Only items that fulfil it. The others count towards `limit`, and cost as much to read. */
  readonly where?: Condition | undefined;
  readonly newestFirst?: boolean;
  readonly after?: Key | undefined;
}

const queryOf = (pk: string, options: QueryOptions) => {
  const placeholders = new Placeholders();
  const conditions = [`${placeholders.name('pk')} = ${placeholders.value(pk)}`];
  if (options.beginsWith !== undefined)
    conditions.push(`begins_with(${placeholders.name('sk')}, ${placeholders.value(options.beginsWith)})`);
  if (options.between !== undefined) {
    const [from, to] = options.between.map((end) => placeholders.value(end));
    conditions.push(`${placeholders.name('sk')} BETWEEN ${from} AND ${to}`);
  }
  return {
    TableName: tableName(),
    ConsistentRead: true,
    KeyConditionExpression: conditions.join(' AND '),
    ...(options.where && { FilterExpression: conditionExpression(options.where, placeholders) }),
    ScanIndexForward: options.newestFirst !== true,
    Limit: options.limit,
    ExclusiveStartKey: options.after && plain(options.after),
    ...placeholders.members(),
  };
};

/** An index instead of the table, with a range of its sort key. */
interface IndexOptions extends Pick<QueryOptions, 'limit' | 'after' | 'newestFirst'> {
  readonly index: TableIndex;
  readonly between: readonly [string, string];
}

/** Reads a page of a partition by sort key: strongly consistent, except from an index. @throws FormatError */
export const query = async <T extends object>(
  pk: string,
  options: QueryOptions | IndexOptions = {},
): Promise<Page<T>> => {
  if ('index' in options) return queryIndex(pk, options);
  const { Items, LastEvaluatedKey } = await reachable(client.send(new QueryCommand(queryOf(pk, options))));
  return { items: (Items ?? []).map(readable<T>), next: LastEvaluatedKey as Key | undefined };
};

/** Its keys are the attributes with the index's own name and, for the time, `<name>_at`. */
const queryIndex = async <T extends object>(
  partition: string,
  { index, between: [from, to], limit, newestFirst, after }: IndexOptions,
): Promise<Page<T>> => {
  const { Items, LastEvaluatedKey } = await reachable(
    client.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: index,
        KeyConditionExpression: `${index} = :partition AND ${index}_at BETWEEN :from AND :to`,
        ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
        ScanIndexForward: newestFirst !== true,
        Limit: limit,
        // With the index's keys beside the table's.
        ExclusiveStartKey: after && { ...after },
      }),
    ),
  );
  return { items: (Items ?? []) as T[], next: LastEvaluatedKey as Key | undefined };
};

/** Reads a whole partition, page by page; for partitions that are known to be small. */
export const queryAll = async <T extends object>(pk: string, options: QueryOptions = {}): Promise<T[]> => {
  const items: T[] = [];
  let after: Key | undefined;
  do {
    const page: Page<T> = await query<T>(pk, { ...options, after });
    items.push(...page.items);
    after = page.next;
  } while (after !== undefined);
  return items;
};

/** Counts items of a partition by prefix, except those with the attribute `without`. Reads all of them, parses none. */
export const countItems = async (pk: string, beginsWith: string, without?: string): Promise<number> => {
  let count = 0;
  let after: Key | undefined;
  do {
    const { ExpressionAttributeNames, ...query } = queryOf(pk, { beginsWith, after });
    const input = {
      ...query,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, ...(without !== undefined && { '#without': without }) },
      ...(without !== undefined && { FilterExpression: 'attribute_not_exists(#without)' }),
      Select: 'COUNT' as const,
    };
    const { Count = 0, LastEvaluatedKey } = await reachable(client.send(new QueryCommand(input)));
    count += Count;
    after = LastEvaluatedKey as Key | undefined;
  } while (after !== undefined);
  return count;
};
