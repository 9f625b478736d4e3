/** Transactions: all of their writes are done, or none. */
import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../foundation/environment.ts';
import { withFormat } from '../foundation/format.ts';
import { client } from './client.ts';
import {
  type Change,
  type Condition,
  conditionExpression,
  conditionOf,
  Placeholders,
  updateExpression,
} from './condition.ts';
import { ConditionFailed } from './conditional.ts';
import { readable } from './format.ts';
import { backOff, isNamed, unreachable } from './refusal.ts';
import { type Item, type Key, plain } from './table-key.ts';

export type Write =
  | { readonly kind: 'put'; readonly item: Item; readonly condition?: Condition }
  | { readonly kind: 'update'; readonly key: Key; readonly change: Change; readonly condition?: Condition }
  | { readonly kind: 'delete'; readonly key: Key; readonly condition?: Condition }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Condition };

/** The most writes of a transaction (DynamoDB limit). */
export const maxWrites = 100;

/** Does all of the writes or none, at most `maxWrites`; retries conflicts. @throws ConditionFailed */
export const transact = async (writes: readonly Write[]): Promise<void> => {
  const TransactItems = writes.map(transactItem);
  let ClientRequestToken: string = randomUUID();
  let isAnswerLost = false;
  for (let attempt = 0; ; attempt++) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
      return;
    } catch (error) {
      if (isNamed(error, 'TransactionCanceledException')) {
        checkCancellation(error);
        // A cancelled transaction wrote nothing, so a retry gets a new token. After a lost answer it may be written:
        // then the token stays, because under a new one the writes would conflict with themselves.
        isAnswerLost ||= sentAgain(error);
        if (!isAnswerLost) ClientRequestToken = randomUUID();
      } else if (!isNamed(error, 'TransactionInProgressException')) throw unreachable(error);
      await backOff(attempt, error);
    }
  }
};

/** Whether the SDK had sent a request more than once when it ended with this error. */
const sentAgain = (error: unknown): boolean =>
  ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;

interface Reason {
  readonly Code?: string;
  readonly Item?: Parameters<typeof unmarshall>[0];
}

/** Returns if a retry may succeed. @throws ConditionFailed, or the error itself if no retry can succeed */
const checkCancellation = (error: unknown): void => {
  const reasons = (error as { CancellationReasons?: readonly Reason[] }).CancellationReasons ?? [];
  const failed = reasons.flatMap(({ Code, Item }, position) =>
    Code === 'ConditionalCheckFailed' ? [{ position, Item }] : [],
  );
  if (failed.length > 0)
    throw new ConditionFailed(
      new Set(failed.map(({ position }) => position)),
      new Map(
        failed.flatMap(({ position, Item }) => (Item === undefined ? [] : [[position, readable(unmarshall(Item))]])),
      ),
    );
  // Neither a condition nor contention, for example an item that is too large: another try cannot succeed.
  if (reasons.some(({ Code }) => Code === 'ValidationError' || Code === 'ItemCollectionSizeLimitExceeded')) throw error;
};

const transactItem = (write: Write): NonNullable<TransactWriteCommandInput['TransactItems']>[number] => {
  const placeholders = new Placeholders();
  const TableName = tableName();
  switch (write.kind) {
    case 'put':
      return { Put: { TableName, Item: withFormat(write.item), ...conditionOf(write.condition) } };
    case 'delete':
      return { Delete: { TableName, Key: plain(write.key), ...conditionOf(write.condition) } };
    case 'check':
      return {
        ConditionCheck: {
          TableName,
          Key: plain(write.key),
          ConditionExpression: conditionExpression(write.condition, placeholders),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
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
