/** Creates the table and the queues of a test like those of the stage `local`. */
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { maxReceivesAt } from '../../infra/cdk/queue-times.ts';
import { contract, type QueueName, tableIndexes } from '../../shared/contract.ts';
import { visibilitySeconds } from '../../shared/foundation/visibility.ts';

export const region = 'eu-central-1';

/** The table's keys and indexes. */
export const tableDefinition = (name: string): CreateTableCommandInput => {
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', ...tableIndexes.flatMap((index) => [index, `${index}_at`])].map(
      (AttributeName) => ({ AttributeName, AttributeType: 'S' }),
    ),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: tableIndexes.map((IndexName) => ({
      IndexName,
      KeySchema: [
        { AttributeName: IndexName, KeyType: 'HASH' },
        { AttributeName: `${IndexName}_at`, KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    })),
  };
};

export interface QueueDefinition {
  readonly queue: QueueName;
  readonly worker: string;
  readonly batchSize: number;
  readonly visibilitySeconds: number;
  readonly maxReceiveCount: number;
}

/** Every queue that a function of the contract reads. */
export const queueDefinitions: readonly QueueDefinition[] = contract.flatMap((line) =>
  line.kind === 'queue'
    ? line.sources.map(({ queue, batchSize }) => ({
        queue,
        worker: line.function,
        batchSize,
        visibilitySeconds: visibilitySeconds(line.timeoutSeconds ?? 10),
        maxReceiveCount: maxReceivesAt(visibilitySeconds(line.timeoutSeconds ?? 10)),
      }))
    : [],
);
