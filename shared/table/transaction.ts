/** Writes of which all are done or none. */
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../foundation/environment.ts';
import { client } from './client.ts';
import {
  type Change,
  type Condition,
  conditionExpression,
  conditionOf,
  Placeholders,
  updateExpression,
} from './condition.ts';
import { backOff, isNamed, unreachable } from './refusal.ts';
import { type Item, type Key, plain } from './table-key.ts';

/** One write of a transaction. */
export type Write =
  | { readonly kind: 'put'; readonly item: Item; readonly condition?: Condition }
  | { readonly kind: 'update'; readonly key: Key; readonly change: Change; readonly condition?: Condition }
  | { readonly kind: 'delete'; readonly key: Key; readonly condition?: Condition }
  | { readonly kind: 'check'; readonly key: Key; readonly condition: Condition };

/** One or more conditions of a transaction did not hold: `failed` has the positions of their writes. */
export class TransactionFailed extends Error {
  readonly failed: ReadonlySet<number>;

  constructor(failed: ReadonlySet<number>) {
    super(`The conditions of the writes ${[...failed].join(', ')} of a transaction did not hold.`);
    this.failed = failed;
  }
}

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
