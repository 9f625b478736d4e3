/** Reads, puts, changes and deletes single items, with an optional condition. */
import type { ReturnValue } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../foundation/environment.ts';
import { withFormat } from '../foundation/format.ts';
import { client } from './client.ts';
import { type Change, type Condition, conditionOf, Placeholders, updateExpression } from './condition.ts';
import { ConditionFailed } from './conditional.ts';
import { readable } from './format.ts';
import { backOff, isNamed, reachable, unreachable } from './refusal.ts';
import { type Item, type Key, plain } from './table-key.ts';

/** Reads one item, strongly consistent. @throws FormatError */
export const get = async <T extends object>(key: Key): Promise<T | undefined> => {
  const { Item } = await reachable(
    client.send(new GetCommand({ TableName: tableName(), Key: plain(key), ConsistentRead: true })),
  );
  return Item && readable<T>(Item);
};

/** Writes one item. @throws ConditionFailed */
export const put = async (item: Item, condition?: Condition): Promise<void> => {
  await conditional(() =>
    client.send(new PutCommand({ TableName: tableName(), Item: withFormat(item), ...conditionOf(condition) })),
  );
};

/** Changes one item and returns it as it is afterwards; its format stays. @throws ConditionFailed */
export const update = async <T extends object>(key: Key, change: Change, condition?: Condition): Promise<T> =>
  readable<T>((await sendUpdate(key, change, condition, 'ALL_NEW')) ?? {});

/** Changes one item without a condition and without reading it; its format stays. */
export const write = async (key: Key, change: Change): Promise<void> => {
  await sendUpdate(key, change, undefined, 'NONE');
};

const sendUpdate = async (key: Key, change: Change, condition: Condition | undefined, ReturnValues: ReturnValue) => {
  const placeholders = new Placeholders();
  const UpdateExpression = updateExpression(change, placeholders);
  // Made once: a second condition would add its placeholders, and DynamoDB refuses values that no expression uses.
  const input = {
    TableName: tableName(),
    Key: plain(key),
    UpdateExpression,
    ReturnValues,
    ...conditionOf(condition, placeholders),
    ...placeholders.members(),
  };
  const { Attributes } = await conditional(() => client.send(new UpdateCommand(input)));
  return Attributes;
};

/** Deletes one item; a missing one is no error. @throws ConditionFailed */
export const remove = async (key: Key, condition?: Condition): Promise<void> => {
  await conditional(() =>
    client.send(new DeleteCommand({ TableName: tableName(), Key: plain(key), ...conditionOf(condition) })),
  );
};

/** DynamoDB refuses a single write that meets a transaction, and the SDK does not retry it. */
const conditional = async <T>(send: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) {
        const { Item } = error as { Item?: Parameters<typeof unmarshall>[0] };
        throw new ConditionFailed(new Set([0]), new Map(Item && [[0, readable(unmarshall(Item))]]));
      }
      if (!isNamed(error, 'TransactionConflictException')) throw unreachable(error);
      await backOff(attempt, error);
    }
  }
};
