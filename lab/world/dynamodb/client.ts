/** The document client of an environment, which replaces `@aws-sdk/lib-dynamodb` and the client below it. */
import type { Modules } from '../bundle.ts';
import type { Environment } from '../environment.ts';
import { Client, type ClientOptions, config, middlewareStack } from '../sdk.ts';
import { type CommandName, cancelled, carryOut, tableCommands } from './commands.ts';
import { awsError } from './errors.ts';
import type { Table } from './table.ts';
import { isSame, itemCopy } from './values.ts';

/** Returns the error of a write that conflicts with another transaction. */
const conflictOf = (name: CommandName, { TransactItems = [] }: Sized): { conflict?: () => Error } => {
  const reasons = TransactItems.map((_, position) => ({ Code: position === 0 ? 'TransactionConflict' : 'None' }));
  if (name === 'TransactWriteCommand') return { conflict: () => cancelled(reasons) };
  if (name === 'BatchWriteCommand') return {};
  return { conflict: () => awsError('TransactionConflictException', 'Transaction is ongoing for the item') };
};

/** Carries out a batch, sometimes only a part of it: the rest is returned as unprocessed. */
const partly = (environment: Environment, name: CommandName, input: object, act: (part: object) => object): object => {
  const { world, weather, counts } = environment;
  const [batch] = Object.entries((input as Sized).RequestItems ?? {});
  if (batch === undefined || environment.isFair || !world.chance(weather.partial)) return act(input);
  counts.partial++;
  const [table, members] = batch;
  const isUnprocessed = membersOf(members).map(() => world.chance(0.5));
  const some = (left: boolean) => {
    const chosen = membersOf(members).filter((_, position) => isUnprocessed[position] === left);
    return chosen.length === 0 ? undefined : { [table]: 'Keys' in members ? { ...members, Keys: chosen } : chosen };
  };
  const done = some(false);
  const answer = done === undefined ? {} : act({ RequestItems: done });
  return { ...answer, [name === 'BatchGetCommand' ? 'UnprocessedKeys' : 'UnprocessedItems']: some(true) ?? {} };
};

interface TableCommand {
  readonly name: CommandName;
  readonly input: object;
}

const commandClasses = Object.fromEntries(
  tableCommands.map((name) => [
    name,
    class implements TableCommand {
      readonly name = name;
      readonly input: object;

      constructor(input: object) {
        this.input = input;
      }
    },
  ]),
);

/** Transactions by their client token, which DynamoDB remembers for ten minutes. */
export type Transactions = Map<string, { readonly input: object; readonly underWayUntil: number }>;

/** Milliseconds for which a transaction may still be running when its request is repeated. */
const longestTransactionMs = 4000;

/** Returns the modules of the document client for an environment. */
export const dynamodbModules = (environment: Environment, table: Table, transactions: Transactions): Modules => {
  class DynamoDBClient {
    readonly config = config;
    readonly middlewareStack = middlewareStack;
    readonly options: ClientOptions;

    constructor(options: ClientOptions = {}) {
      this.options = options;
    }
  }
  const DynamoDBDocumentClient = {
    from: ({ options }: DynamoDBClient) => {
      const client = new Client(environment, 'dynamodb', options);
      return { send: (command: TableCommand) => send(client, command) };
    },
  };
  const send = (client: Client, { name, input }: TableCommand): Promise<object> => {
    // The SDK sets the token once per request: its retries have the same one.
    const token = `token-${environment.world.entropy()}`;
    // A copy of the current input: the caller may change it afterwards.
    const request = itemCopy(input as Record<string, unknown>);
    return client.send({
      isWrite: !/^(Get|Query|BatchGet)/.test(name),
      size: sizeOf(name, request),
      effect: () =>
        name === 'TransactWriteCommand'
          ? transact(request, token)
          : partly(environment, name, request, (part) => carryOut(table, name, part)),
      ...conflictOf(name, request),
    });
  };
  const transact = (input: { ClientRequestToken?: unknown; TransactItems?: unknown }, ownToken: string): object => {
    const { world, weather } = environment;
    const token = String(input.ClientRequestToken ?? ownToken);
    const known = transactions.get(token);
    if (known !== undefined) {
      if (!isSame(known.input, input.TransactItems))
        throw awsError('IdempotentParameterMismatchException', 'The token was used with other parameters');
      if (known.underWayUntil > world.now)
        throw awsError(
          'TransactionInProgressException',
          'The transaction with the given request token is already in progress.',
        );
      return {};
    }
    const result = carryOut(table, 'TransactWriteCommand', input);
    const isSlow = !environment.isFair && world.chance(weather.conflicts);
    const underWayUntil = isSlow ? world.now + world.between(0, longestTransactionMs) : 0;
    transactions.set(token, { input: input.TransactItems as object, underWayUntil });
    const [oldest] = transactions.keys();
    if (transactions.size > 10_000 && oldest !== undefined) transactions.delete(oldest);
    return result;
  };
  return {
    '@aws-sdk/client-dynamodb': { DynamoDBClient },
    '@aws-sdk/lib-dynamodb': { DynamoDBDocumentClient, ...commandClasses },
  };
};

type Batch = { readonly Keys: readonly unknown[] } | readonly unknown[];

interface Sized {
  readonly RequestItems?: Readonly<Record<string, Batch>>;
  readonly TransactItems?: readonly unknown[];
}

const membersOf = (batch: Batch): readonly unknown[] => ('Keys' in batch ? batch.Keys : batch);

/** Returns the number of items in a request; a query counts as ten. */
const sizeOf = (name: CommandName, { RequestItems, TransactItems }: Sized): number => {
  if (name === 'QueryCommand') return 10;
  const [batch] = Object.values(RequestItems ?? {});
  return (batch && membersOf(batch))?.length ?? TransactItems?.length ?? 1;
};
