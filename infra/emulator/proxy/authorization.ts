/** Derives what AWS authorizes for a call: actions, resources and context. */
import * as v from 'valibot';
import { arn } from '../account.ts';
import type { TableDeployment } from '../deployment.ts';
import type { Call } from './call.ts';
import type { Context } from './statements.ts';

export interface Need {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  readonly context: Context;
}

/** The partition key's attribute, by table name or `<table>/index/<index>`. */
export type PartitionKeys = Readonly<Record<string, string>>;

/** Returns the partition keys of all tables and their indexes. */
export const partitionKeysOf = (tables: readonly TableDeployment[]): PartitionKeys => {
  const hashOf = (schema: TableDeployment['definition']['KeySchema']) =>
    schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  return Object.fromEntries(
    tables.flatMap(({ name, definition: { KeySchema, GlobalSecondaryIndexes = [] } }) => [
      [name, hashOf(KeySchema)],
      ...GlobalSecondaryIndexes.map((index) => [`${name}/index/${index.IndexName}`, hashOf(index.KeySchema)]),
    ]),
  );
};

/**
 * The keys that each action of a transaction needs: its own (`apart`), or the whole transaction's (`together`). AWS
 * documents single actions' permissions, not `dynamodb:LeadingKeys` (docs/adr/0002-grants-by-leading-key.md).
 */
export type Transactions = 'apart' | 'together';

/** Returns what AWS checks for a call: transactions and queue batches by single action, table batches by all keys. */
export const needsOf = (
  call: Call,
  partitionKeys: PartitionKeys,
  transactions: Transactions = 'apart',
): readonly Need[] => {
  switch (call.service) {
    case 'dynamodb':
      return tableNeeds(call, partitionKeys, transactions);
    case 'sqs':
      return [queueNeed(call)];
    case 'ses':
      return mailNeeds(call);
  }
};

const nothing: Context = { 'dynamodb:LeadingKeys': undefined, 'ses:FromAddress': undefined };

const value = v.union([
  v.pipe(
    v.object({ S: v.string() }),
    v.transform(({ S }) => S),
  ),
  v.pipe(
    v.object({ N: v.string() }),
    v.transform(({ N }) => N),
  ),
]);
/** Fast path without a check of each key, because this runs for every call. */
const attributes = v.custom<Readonly<Record<string, unknown>>>((item) => typeof item === 'object' && item !== null);
const target = { TableName: v.string(), Key: v.optional(attributes), Item: v.optional(attributes) };

const single = v.object({ ...target });
const queried = v.object({
  TableName: v.string(),
  IndexName: v.optional(v.string()),
  KeyConditionExpression: v.optional(v.string(), ''),
  ExpressionAttributeNames: v.optional(v.record(v.string(), v.string()), {}),
  ExpressionAttributeValues: v.optional(attributes, {}),
});
const batchGet = v.object({ RequestItems: v.record(v.string(), v.object({ Keys: v.array(attributes) })) });
const batchWrite = v.object({
  RequestItems: v.record(
    v.string(),
    v.array(
      v.object({
        PutRequest: v.optional(v.object({ Item: attributes })),
        DeleteRequest: v.optional(v.object({ Key: attributes })),
      }),
    ),
  ),
});
const part = v.optional(v.object(target));
const transaction = v.object({
  TransactItems: v.array(v.object({ Get: part, ConditionCheck: part, Put: part, Delete: part, Update: part })),
});
const actionOf = {
  Get: 'GetItem',
  ConditionCheck: 'ConditionCheckItem',
  Put: 'PutItem',
  Delete: 'DeleteItem',
  Update: 'UpdateItem',
} as const;

const tableNeeds = (call: Call, partitionKeys: PartitionKeys, transactions: Transactions): readonly Need[] => {
  const need = (action: string, place: string, found: readonly (string | undefined)[]): Need => {
    const keys = found.filter((key) => key !== undefined);
    return {
      action: `dynamodb:${action}`,
      resource: arn('dynamodb', `table/${place}`),
      context: { ...nothing, 'dynamodb:LeadingKeys': keys.length === 0 ? undefined : keys },
    };
  };
  const keyOf = (table: string, item: v.InferOutput<typeof attributes> | undefined) =>
    text(item?.[partitionKeys[table] ?? '']);
  switch (call.action) {
    case 'BatchGetItem':
      return Object.entries(v.parse(batchGet, call.input).RequestItems).map(([table, { Keys }]) =>
        need(
          call.action,
          table,
          Keys.map((key) => keyOf(table, key)),
        ),
      );
    case 'BatchWriteItem':
      return Object.entries(v.parse(batchWrite, call.input).RequestItems).map(([table, requests]) =>
        need(
          call.action,
          table,
          requests.map(({ PutRequest, DeleteRequest }) => keyOf(table, PutRequest?.Item ?? DeleteRequest?.Key)),
        ),
      );
    case 'TransactGetItems':
    case 'TransactWriteItems': {
      const parts = v.parse(transaction, call.input).TransactItems.flatMap((item) =>
        (['Get', 'ConditionCheck', 'Put', 'Delete', 'Update'] as const).flatMap((kind) => {
          const { [kind]: found } = item;
          if (found === undefined) return [];
          const { TableName } = found;
          return [{ action: actionOf[kind], TableName, key: keyOf(TableName, found.Key ?? found.Item) }];
        }),
      );
      const all = parts.map(({ key }) => key);
      return parts.map(({ action, TableName, key }) => need(action, TableName, transactions === 'apart' ? [key] : all));
    }
    case 'Query': {
      const query = v.parse(queried, call.input);
      const place = query.IndexName === undefined ? query.TableName : `${query.TableName}/index/${query.IndexName}`;
      return [need('Query', place, [queriedKey(query, partitionKeys[place])])];
    }
    default: {
      const { TableName, Key, Item } = v.parse(single, call.input);
      return [need(call.action, TableName, [keyOf(TableName, Key ?? Item)])];
    }
  }
};

/** Returns the partition that a query reads: the equality in its key condition. */
const queriedKey = (query: v.InferOutput<typeof queried>, partitionKey: string | undefined): string | undefined => {
  for (const condition of query.KeyConditionExpression.split(/\s+and\s+/i)) {
    const [, name = '', placeholder = ''] = /^\(*\s*([#\w.-]+)\s*=\s*(:\w+)\s*\)*$/.exec(condition.trim()) ?? [];
    if (name !== '' && (query.ExpressionAttributeNames[name] ?? name) === partitionKey)
      return text(query.ExpressionAttributeValues[placeholder]);
  }
  return undefined;
};

const text = (found: unknown): string | undefined => {
  const parsed = v.safeParse(value, found);
  return parsed.success ? parsed.output : undefined;
};

const toQueue = v.object({ QueueUrl: v.optional(v.string(), '') });

const queueNeed = (call: Call): Need => {
  const name = v.parse(toQueue, call.input).QueueUrl.split('/').at(-1) ?? '';
  const action = call.action.replace(/Batch$/, '');
  return { action: `sqs:${action}`, resource: arn('sqs', name), context: nothing };
};

const mail = v.object({ Source: v.string(), ConfigurationSetName: v.optional(v.string()) });

/** Sending a mail needs the identity (here the sender's domain) and the mail's configuration set, if it names one. */
const mailNeeds = (call: Call): readonly Need[] => {
  const { Source, ConfigurationSetName } = v.parse(mail, call.input);
  const from = /<([^>]+)>\s*$/.exec(Source)?.[1] ?? Source;
  const places = [
    `identity/${from.split('@').at(-1)}`,
    ...(ConfigurationSetName === undefined ? [] : [`configuration-set/${ConfigurationSetName}`]),
  ];
  return places.map((place) => ({
    action: `ses:${call.action}`,
    resource: arn('ses', place),
    context: { ...nothing, 'ses:FromAddress': [from] },
  }));
};
