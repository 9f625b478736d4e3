/**
 * Compares the simulated table and queue with the embedded DynamoDB and SQS: the same operations have the same results.
 * `npm --prefix lab run simulate:check` runs 3,000 sequences; `DIFFERENTIAL_RUNS` and `_SEED` set and repeat them.
 */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { startFauxqs } from '../../infra/emulator/parts/fauxqs.ts';
import { tableDefinition } from '../../test/support/parts-schema.ts';
import { carryOut } from '../world/dynamodb/commands.ts';
import { Table } from '../world/dynamodb/table.ts';
import { World } from '../world/world.ts';
import { queueOperations } from './queue-operations.ts';
import { makePair } from './queue-pair.ts';
import { type Operation, operations } from './table-operations.ts';

const numRuns = Number(process.env.DIFFERENTIAL_RUNS ?? 40);
const seed = Number(process.env.DIFFERENTIAL_SEED ?? (numRuns > 40 ? Date.now() % 2 ** 31 : 20_261_121));

const local = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
};

const commands = {
  GetCommand,
  PutCommand,
  UpdateCommand,
  DeleteCommand,
  QueryCommand,
  BatchGetCommand,
  BatchWriteCommand,
  TransactWriteCommand,
};

type Answer = Readonly<Record<string, unknown>>;

/** The fields of an SDK error that our code reads. */
const refusal = (error: unknown): Answer => {
  const { name, Item, CancellationReasons } = error as {
    name: string;
    Item?: Parameters<typeof unmarshall>[0];
    CancellationReasons?: { Code?: string; Item?: Parameters<typeof unmarshall>[0] }[];
  };
  // DynamoDB refuses the whole request; dynoxide refuses only the invalid write in it.
  if (CancellationReasons?.some(({ Code }) => Code === 'ValidationError')) return { refused: 'ValidationException' };
  const shown = (item: typeof Item) => item && unmarshall(item);
  return {
    refused: name,
    ...(Item && { found: shown(Item) }),
    ...(CancellationReasons && { reasons: CancellationReasons.map(({ Code, Item: its }) => [Code, shown(its)]) }),
  };
};

/** Returns the input with the table's name, wherever a command needs it. */
const inputOf = ({ name, input }: Operation, table: string): object => {
  if (name === 'BatchGetCommand') return { RequestItems: { [table]: input } };
  if (name === 'BatchWriteCommand')
    return { RequestItems: { [table]: (input.items as object[]).map((Item) => ({ PutRequest: { Item } })) } };
  if (name !== 'TransactWriteCommand') return { TableName: table, ...input };
  const items = input.TransactItems as Record<string, object>[];
  return {
    TransactItems: items.map((item) =>
      Object.fromEntries(Object.entries(item).map(([kind, action]) => [kind, { TableName: table, ...action }])),
    ),
  };
};

/** Returns the result of a command without metadata, sorted if DynamoDB defines no order. */
const result = (answer: object): Answer => {
  const { Item, Attributes, Items, Count, LastEvaluatedKey, Responses } = answer as Record<string, unknown>;
  const batch = Object.values((Responses ?? {}) as Record<string, Record<string, unknown>[]>).flat();
  const byKey = (one: Record<string, unknown>) => `${one.pk} ${one.sk}`;
  return {
    Item,
    Attributes,
    Items,
    Count,
    LastEvaluatedKey,
    batch: batch.toSorted((a, b) => (byKey(a) < byKey(b) ? -1 : 1)),
  };
};

const Key = { pk: 'A', sk: 'a1' };
/** An attribute exists even if it is null. */
const nullForList: Operation[] = [
  { name: 'PutCommand', input: { Item: { ...Key, list: null } } },
  {
    name: 'UpdateCommand',
    input: {
      Key,
      UpdateExpression: 'SET #list = list_append(if_not_exists(#list, :none), :one)',
      ExpressionAttributeNames: { '#list': 'list' },
      ExpressionAttributeValues: { ':none': [], ':one': ['p'] },
    },
  },
];

describe('the simulated table', () => {
  it('returns the same results as DynamoDB for any sequence of our operations', async () => {
    const real = DynamoDBDocumentClient.from(new DynamoDBClient({ ...local, endpoint: inject('parts').dynamodb }), {
      marshallOptions: { removeUndefinedValues: true },
    });
    let tables = 0;
    await fc.assert(
      fc.asyncProperty(operations, async (sequence) => {
        const name = `differential-${process.pid}-${tables++}`;
        await real.send(new CreateTableCommand(tableDefinition(name)) as never);
        const simulated = new Table(new World(1, 0), { indexLagMs: [0, 0], staleMs: 0, ttlLateMs: undefined });
        for (const operation of sequence) {
          const Command = commands[operation.name] as unknown as new (input: object) => Parameters<typeof real.send>[0];
          const expected = await real.send(new Command(inputOf(operation, name))).then(result, refusal);
          let found: Answer;
          try {
            found = result(carryOut(simulated, operation.name, inputOf(operation, name)));
          } catch (error) {
            found = refusal(error);
          }
          expect(found, JSON.stringify(operation)).toEqual(expected);
        }
      }),
      { numRuns, seed, examples: [[nullForList]] },
    );
  }, 600_000);
});

describe('the simulated queue', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => vi.useRealTimers());

  it('shows, hides and dead-letters messages like SQS', async () => {
    const part = startFauxqs();
    const endpoint = await (await part.app()).listen({ port: 0, host: '127.0.0.1' });
    const sqs = new SQSClient({ ...local, endpoint, useQueueUrlAsEndpoint: false });
    let queues = 0;
    try {
      await fc.assert(
        fc.asyncProperty(queueOperations, async (sequence) => {
          const { apply } = await makePair(sqs, `differential-${queues++}`);
          for (const operation of sequence) {
            const [expected, found] = await apply(operation);
            expect(found, JSON.stringify(operation)).toEqual(expected);
          }
        }),
        { numRuns, seed },
      );
    } finally {
      await part.stop();
    }
  }, 600_000);
});
