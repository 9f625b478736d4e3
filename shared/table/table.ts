/**
 * The one way to reach the table: single items, batches, queries and transactions, with DynamoDB's failures told apart
 * into lost conditions (the caller decides), conflicts and missing capacity (retried here, then a 503).
 */
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../environment.ts';
import { ServiceUnavailableError } from '../errors.ts';
import { client } from './client.ts';
import { type Change, type Condition, conditionExpression, Placeholders, updateExpression } from './condition.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A whole item, as it is written. */
export interface Item extends Key {
  readonly [attribute: string]: unknown;
}

/** A condition of a write did not hold; `found` is the item as it stands, undefined where there is none. */
export class ConditionFailed extends Error {
  readonly found: Record<string, unknown> | undefined;

  constructor(found: Record<string, unknown> | undefined) {
    super('A condition of a write did not hold.');
    this.found = found;
  }
}

/** One or more conditions of a transaction did not hold: `failed` has the positions of their writes. */
export class TransactionFailed extends Error {
  readonly failed: ReadonlySet<number>;

  constructor(failed: ReadonlySet<number>) {
    super(`The conditions of the writes ${[...failed].join(', ')} of a transaction did not hold.`);
    this.failed = failed;
  }
}

/** One write of a transaction. */
export type Write =
  | { readonly kind: 'put'; readonly item: Item; readonly condition?: Condition }
  | { readonly kind: 'update'; readonly key: Key; readonly change: Change; readonly condition?: Condition }
  | { readonly kind: 'delete'; readonly key: Key; readonly condition?: Condition }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Condition };

export interface Page<T> {
  readonly items: T[];
  /** Where the next page begins; undefined where this is the last. */
  readonly next: Key | undefined;
}

export interface QueryOptions {
  /** Only sort keys that begin like this. */
  readonly beginsWith?: string;
  /** Only sort keys from this one to that one, both included. */
  readonly between?: readonly [string, string];
  readonly limit?: number;
  readonly newestFirst?: boolean;
  readonly after?: Key | undefined;
}

/** Reads one item, strongly consistent. The type is what this code wrote there itself. */
export const get = async <T extends object>(key: Key): Promise<T | undefined> => {
  const { Item } = await reachable(
    client.send(new GetCommand({ TableName: tableName(), Key: plain(key), ConsistentRead: true })),
  );
  return Item as T | undefined;
};

/** Reads items by their keys, strongly consistent, in any order; those that are not there are left out. */
export const getMany = async <T extends object>(keys: readonly Key[]): Promise<T[]> => {
  const found: T[] = [];
  // AWS limit: 100 items a BatchGetItem.
  for (let start = 0; start < keys.length; start += 100) {
    let wanted: Record<string, unknown>[] = keys.slice(start, start + 100).map(plain);
    for (let attempt = 0; wanted.length > 0; attempt++) {
      const { Responses, UnprocessedKeys } = await reachable(
        client.send(new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: wanted, ConsistentRead: true } } })),
      );
      found.push(...((Responses?.[tableName()] ?? []) as T[]));
      wanted = UnprocessedKeys?.[tableName()]?.Keys ?? [];
      if (wanted.length > 0) await backOff(attempt, 'BatchGetItem left keys unread');
    }
  }
  return found;
};

/** Writes one item. @throws ConditionFailed */
export const put = async (item: Item, condition?: Condition): Promise<void> => {
  await conditional(() =>
    client.send(new PutCommand({ TableName: tableName(), Item: item, ...conditionOf(condition) })),
  );
};

/** Writes items without conditions, replacing what stands there; each key may come once. */
export const putMany = async (items: readonly Item[]): Promise<void> => {
  // AWS limit: 25 items a BatchWriteItem.
  for (let start = 0; start < items.length; start += 25) {
    let requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    for (let attempt = 0; requests.length > 0; attempt++) {
      const { UnprocessedItems } = await reachable(
        client.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } })),
      );
      requests = (UnprocessedItems?.[tableName()] ?? []) as typeof requests;
      if (requests.length > 0) await backOff(attempt, 'BatchWriteItem left items unwritten');
    }
  }
};

/** Changes one item and gives it as it then is. @throws ConditionFailed */
export const update = async <T extends object>(key: Key, change: Change, condition?: Condition): Promise<T> => {
  const placeholders = new Placeholders();
  const UpdateExpression = updateExpression(change, placeholders);
  const { Attributes } = await conditional(() =>
    client.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: plain(key),
        UpdateExpression,
        ReturnValues: 'ALL_NEW',
        ...conditionOf(condition, placeholders),
        ...placeholders.members(),
      }),
    ),
  );
  return Attributes as T;
};

/** Deletes one item; one that is not there is no fault. @throws ConditionFailed */
export const remove = async (key: Key, condition?: Condition): Promise<void> => {
  await conditional(() =>
    client.send(new DeleteCommand({ TableName: tableName(), Key: plain(key), ...conditionOf(condition) })),
  );
};

/** Reads a page of one partition, in the order of the sort key, strongly consistent. */
export const query = async <T extends object>(pk: string, options: QueryOptions = {}): Promise<Page<T>> => {
  const placeholders = new Placeholders();
  const conditions = [`${placeholders.name('pk')} = ${placeholders.value(pk)}`];
  if (options.beginsWith !== undefined)
    conditions.push(`begins_with(${placeholders.name('sk')}, ${placeholders.value(options.beginsWith)})`);
  if (options.between !== undefined) {
    const [from, to] = options.between.map((end) => placeholders.value(end));
    conditions.push(`${placeholders.name('sk')} BETWEEN ${from} AND ${to}`);
  }
  const { Items, LastEvaluatedKey } = await reachable(
    client.send(
      new QueryCommand({
        TableName: tableName(),
        ConsistentRead: true,
        KeyConditionExpression: conditions.join(' AND '),
        ScanIndexForward: options.newestFirst !== true,
        Limit: options.limit,
        ExclusiveStartKey: options.after && plain(options.after),
        ...placeholders.members(),
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

/** The number of partitions that the index of what is due is spread over. */
export const dueShards = 16;

/** The two attributes that put an item into the index of what is due, at a time in epoch ms; shard from its key. */
export const dueAt = (key: Key, ms: number): { due: string; due_at: string } => {
  let sum = 0;
  for (const character of key.pk + key.sk) sum = (sum * 31 + character.charCodeAt(0)) % 65_521;
  return { due: `DUE#${sum % dueShards}`, due_at: new Date(ms).toISOString() };
};

/** Reads the keys of what is due by `until` (epoch ms) in one shard, oldest first; the index is eventually consistent. */
export const queryDue = async (shard: number, until: number, limit: number): Promise<(Key & { due_at: string })[]> => {
  const { Items } = await reachable(
    client.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: 'due',
        KeyConditionExpression: 'due = :shard AND due_at <= :until',
        ExpressionAttributeValues: { ':shard': `DUE#${shard}`, ':until': new Date(until).toISOString() },
        Limit: limit,
      }),
    ),
  );
  return (Items ?? []) as (Key & { due_at: string })[];
};

/**
 * Does all of the writes or none; at most 100 (AWS limit). A conflict with another transaction is tried again.
 * @throws TransactionFailed where conditions did not hold
 */
export const transact = async (writes: readonly Write[]): Promise<void> => {
  const TransactItems = writes.map(transactItem);
  for (let attempt = 0; ; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems }));
      return;
    } catch (error) {
      if (!isNamed(error, 'TransactionCanceledException')) {
        if (!isNamed(error, 'TransactionInProgressException')) throw unreachable(error);
      } else {
        const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
        const codes = reasons.map((reason) => reason.Code ?? 'None');
        const failed = codes.flatMap((code, position) => (code === 'ConditionalCheckFailed' ? [position] : []));
        if (failed.length > 0) throw new TransactionFailed(new Set(failed));
        // What is neither a condition nor contention (an item too large, say) is our own mistake: trying again is no help.
        if (codes.some((code) => code === 'ValidationError' || code === 'ItemCollectionSizeLimitExceeded')) throw error;
      }
      await backOff(attempt, 'a transaction met other transactions', error);
    }
  }
};

const transactItem = (write: Write): NonNullable<TransactWriteCommandInput['TransactItems']>[number] => {
  const placeholders = new Placeholders();
  const TableName = tableName();
  switch (write.kind) {
    case 'put':
      return { Put: { TableName, Item: write.item, ...conditionOf(write.condition) } };
    case 'delete':
      return { Delete: { TableName, Key: plain(write.key), ...conditionOf(write.condition) } };
    case 'check':
      return {
        ConditionCheck: {
          TableName,
          Key: plain(write.key),
          ConditionExpression: conditionExpression(write.condition, placeholders),
          ...placeholders.members(),
        },
      };
    case 'update': {
      const UpdateExpression = updateExpression(write.change, placeholders);
      return {
        Update: {
          TableName,
          Key: plain(write.key),
          UpdateExpression,
          ...conditionOf(write.condition, placeholders),
          ...placeholders.members(),
        },
      };
    }
  }
};

/** Only the key of what may be a whole item. */
const plain = ({ pk, sk }: Key): Record<string, unknown> => ({ pk, sk });

/** Placeholders are shared with an update expression where there is one, which then adds their members itself. */
const conditionOf = (condition: Condition | undefined, placeholders?: Placeholders) => {
  if (condition === undefined) return {};
  const own = placeholders ?? new Placeholders();
  return {
    ConditionExpression: conditionExpression(condition, own),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...own.members(),
  };
};

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Errors of the AWS SDK that say «not now»: capacity, AWS's own faults, no connection. */
const unreachable = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const passing = [
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'TimeoutError',
  ];
  const noAnswer = status === undefined && 'code' in error;
  return passing.includes(error.name) || noAnswer || (status !== undefined && status >= 500)
    ? new ServiceUnavailableError(error)
    : error;
};

const reachable = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw unreachable(error);
  }
};

/** A single write that meets a transaction is refused by DynamoDB, and not tried again by the SDK. */
const conditional = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) {
        const { Item } = error as { Item?: Parameters<typeof unmarshall>[0] };
        throw new ConditionFailed(Item && unmarshall(Item));
      }
      if (!isNamed(error, 'TransactionConflictException')) throw unreachable(error);
      await backOff(attempt, 'a write met a transaction', error);
    }
  }
};

/** Waits 25 ms, 50 ms, … with full jitter, and gives up after eight tries. @throws ServiceUnavailableError */
const backOff = async (attempt: number, why: string, cause?: unknown): Promise<void> => {
  if (attempt >= 7) throw new ServiceUnavailableError(cause ?? new Error(why));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 25 * 2 ** attempt));
};
