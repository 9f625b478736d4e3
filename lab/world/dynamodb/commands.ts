/** DynamoDB's commands on the table in memory: their effects, results and refusals. */

import { marshall } from '@aws-sdk/util-dynamodb';
import { tableIndexes } from '../../../shared/contract.ts';
import { awsError, invalid } from './errors.ts';
import { checkUse, type Names, readCondition } from './expressions.ts';
import { query } from './query.ts';
import type { Key, Table } from './table.ts';
import { checkPaths, readUpdate, updated } from './updates.ts';
import { type Attributes, itemCopy } from './values.ts';

export const tableCommands = [
  'GetCommand',
  'PutCommand',
  'UpdateCommand',
  'DeleteCommand',
  'QueryCommand',
  'BatchGetCommand',
  'BatchWriteCommand',
  'TransactWriteCommand',
] as const;

export type CommandName = (typeof tableCommands)[number];

const writeMany = (table: Table, requests: Batch<PutOrDelete[]>): object => {
  for (const members of Object.values(requests)) {
    if (members.length === 0 || members.length > maxWrites)
      throw invalid('Member must have length less than or equal to 25');
    const writes = members.map(({ PutRequest, DeleteRequest }) =>
      prepared(table, PutRequest ? 'Put' : 'Delete', { ...PutRequest, ...DeleteRequest }),
    );
    checkDistinct(
      writes.map(({ key }) => key),
      'Provided list of item keys contains duplicates',
    );
    const results = writes.map(({ result }) => result());
    writes.forEach(({ key }, position) => {
      apply(table, key, results[position]);
    });
  }
  return { UnprocessedItems: {} };
};

const getMany = (table: Table, requests: Batch<{ Keys: Attributes[]; ConsistentRead?: boolean }>): object => {
  const Responses: Record<string, Attributes[]> = {};
  const UnprocessedKeys: Record<string, object> = {};
  for (const [name, { Keys, ConsistentRead }] of Object.entries(requests)) {
    if (Keys.length === 0 || Keys.length > maxReads)
      throw invalid('Too many items requested for the BatchGetItem call');
    const keys = Keys.map(onlyKey);
    checkDistinct(keys, 'Provided list of item keys contains duplicates');
    const size = { bytes: 0 };
    const found: Attributes[] = [];
    const unread = keys.filter((key) => {
      if (size.bytes > maxReadBytes) return true;
      const item = table.read(key, ConsistentRead === true);
      if (item !== undefined) found.push(itemCopy(item, size));
      return false;
    });
    Responses[name] = found;
    if (unread.length > 0) UnprocessedKeys[name] = { Keys: unread, ConsistentRead };
  }
  return { Responses, UnprocessedKeys };
};

const transact = (table: Table, items: readonly Record<string, Action>[]): object => {
  if (items.length === 0 || items.length > 100) throw invalid('Member must have length less than or equal to 100');
  const writes = items.map((item) => {
    const [[kind, action]] = Object.entries(item) as [[string, Action]];
    return { ...prepared(table, kind, action), action };
  });
  checkDistinct(
    writes.map(({ key }) => key),
    'Transaction request cannot include multiple operations on one item',
  );
  const reasons = writes.map(({ key, isFulfilled, action }) => {
    if (isFulfilled()) return { Code: 'None' };
    const found = table.read(key);
    const isShown = found !== undefined && action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    return {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      ...(isShown && { Item: marshalled(found) }),
    };
  });
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
  const results = writes.map(({ isCheck, result }) => (isCheck ? undefined : result()));
  writes.forEach(({ key, isCheck }, position) => {
    if (!isCheck) apply(table, key, results[position]);
  });
  return {};
};

const write = (table: Table, name: string, action: Action): object => {
  const { key, isFulfilled, result } = prepared(table, name.replace('Command', ''), action);
  const before = table.read(key);
  if (!isFulfilled()) {
    const isShown = before !== undefined && action.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
    throw awsError(
      'ConditionalCheckFailedException',
      'The conditional request failed',
      400,
      isShown ? { Item: marshalled(before) } : {},
    );
  }
  const after = result();
  apply(table, key, after);
  if (action.ReturnValues === 'ALL_NEW') return { Attributes: itemCopy(after ?? {}) };
  return action.ReturnValues === 'ALL_OLD' && before !== undefined ? { Attributes: itemCopy(before) } : {};
};

export interface Action extends Names {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ReturnValues?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
  readonly ConsistentRead?: boolean;
}

type Batch<Member> = Readonly<Record<string, Member>>;
type PutOrDelete = {
  readonly PutRequest?: { readonly Item: Attributes };
  readonly DeleteRequest?: { readonly Key: Attributes };
};

const maxWrites = 25;
const maxReads = 100;
const maxReadBytes = 16 * 1024 * 1024;

/** Carries out a command by its name, such as `PutCommand`. @throws the error of DynamoDB */
export const carryOut = (table: Table, name: string, input: object): object => {
  switch (name) {
    case 'GetCommand':
      return get(table, input);
    case 'PutCommand':
    case 'UpdateCommand':
    case 'DeleteCommand':
      return write(table, name, input);
    case 'QueryCommand':
      return query(table, input);
    case 'TransactWriteCommand':
      return transact(table, (input as { TransactItems?: Record<string, Action>[] }).TransactItems ?? []);
    case 'BatchGetCommand':
      return getMany(
        table,
        (input as { RequestItems: Batch<{ Keys: Attributes[]; ConsistentRead?: boolean }> }).RequestItems,
      );
    case 'BatchWriteCommand':
      return writeMany(table, (input as { RequestItems: Batch<PutOrDelete[]> }).RequestItems);
    default:
      throw new Error(`DynamoDB in memory does not support ${name}.`);
  }
};

/** Returns the key of an item, or refuses it. @throws ValidationException */
const keyOf = (attributes: Attributes | undefined): Key => {
  for (const name of ['pk', 'sk']) {
    const value = attributes?.[name];
    if (typeof value !== 'string')
      throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    if (value === '')
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an ' +
          `empty string value. Key: ${name}`,
      );
  }
  return attributes as unknown as Key;
};

/** Checks that the keys of the indexes are non-empty strings, if present. @throws ValidationException */
const checkIndexKeys = (item: Attributes): void => {
  for (const name of tableIndexes.flatMap((index) => [index, `${index}_at`])) {
    const value = item[name];
    if (value !== undefined && (typeof value !== 'string' || value === ''))
      throw invalid(`One or more parameter values were invalid: Type mismatch for Index Key ${name}`);
  }
};

const onlyKey = (key: Attributes | undefined): Key => {
  if (Object.keys(key ?? {}).length !== 2) throw invalid('The provided key element does not match the schema');
  return keyOf(key);
};

const get = (table: Table, { Key, ConsistentRead }: Action): object => {
  const item = table.read(onlyKey(Key), ConsistentRead === true);
  return item === undefined ? {} : { Item: itemCopy(item) };
};

/** One valid write, whose condition is checked before its effect is made. */
interface Write {
  readonly key: Key;
  readonly isFulfilled: () => boolean;
  /** Returns the item after the write; undefined if it is deleted. */
  readonly result: () => Attributes | undefined;
  readonly isCheck: boolean;
}

const prepared = (table: Table, kind: string, action: Action): Write => {
  const condition = action.ConditionExpression === undefined ? undefined : readCondition(action.ConditionExpression);
  const update = kind === 'Update' ? readUpdate(action.UpdateExpression ?? '') : undefined;
  checkUse(
    action,
    [condition?.used, update?.used].flatMap((used) => used ?? []),
  );
  if (update !== undefined) checkPaths(update, action);
  const key = kind === 'Put' ? keyOf(action.Item) : onlyKey(action.Key);
  const result = (): Attributes | undefined => {
    if (kind === 'Delete') return undefined;
    const before = table.read(key) ?? { ...action.Key };
    const item = update === undefined ? itemCopy(action.Item ?? {}) : updated(update, action, before);
    checkIndexKeys(item);
    return item;
  };
  return {
    key,
    isFulfilled: () => condition?.test(table.read(key), action) ?? true,
    result,
    isCheck: kind === 'ConditionCheck',
  };
};

const apply = (table: Table, key: Key, item: Attributes | undefined): void => {
  if (item === undefined) table.erase(key);
  else table.write(item);
};

/** The SDK does not unmarshal the item of a refused condition. */
const marshalled = (item: Attributes) => marshall(item, { removeUndefinedValues: true });

/** Returns the error of a cancelled transaction. */
export const cancelled = (reasons: readonly { readonly Code: string }[]): Error =>
  awsError(
    'TransactionCanceledException',
    'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
      `[${reasons.map(({ Code }) => Code).join(', ')}]`,
    400,
    { CancellationReasons: reasons },
  );

const checkDistinct = (keys: readonly Key[], message: string): void => {
  if (new Set(keys.map(({ pk, sk }) => `${pk} ${sk}`)).size < keys.length) throw invalid(message);
};
