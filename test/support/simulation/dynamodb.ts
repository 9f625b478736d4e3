/** DynamoDB in memory, in the place of `shared/table/client.ts`: the commands that `shared/table` sends, with the world's time and faults. */
import { marshall } from '@aws-sdk/util-dynamodb';
import { awsError, call } from './call.ts';
import { holds, updated } from './expressions.ts';

type Attributes = Record<string, unknown>;
interface Input {
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
  readonly IndexName?: string;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Attributes;
  // biome-ignore lint/suspicious/noExplicitAny: batches and transactions nest the above in their own ways
  readonly RequestItems?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly TransactItems?: any;
}

/** Partitions by key, in each of them items by sort key; what is written is never changed in place. */
const partitions = new Map<string, Map<string, Attributes>>();
/** Keys of what is due, by shard. */
const due = new Map<string, Map<string, Attributes>>();

export const clear = (): void => {
  partitions.clear();
  due.clear();
};

/** All items of a partition, for a look past the functions. */
export const itemsOf = (pk: string): Attributes[] => [...(partitions.get(pk)?.values() ?? [])];

/** When the next thing is due, in epoch ms; undefined where nothing is. */
export const nextDue = (): number | undefined => {
  let next: string | undefined;
  for (const shard of due.values())
    for (const { due_at } of shard.values()) if (next === undefined || String(due_at) < next) next = String(due_at);
  return next === undefined ? undefined : Date.parse(next);
};

/** Is told of every item that is written. */
export const observer: { onWrite: (item: Attributes) => void } = { onWrite: () => {} };

const read = (key: Attributes): Attributes | undefined => partitions.get(String(key.pk))?.get(String(key.sk));

const forgetDue = (item: Attributes | undefined): void => {
  if (typeof item?.due === 'string') due.get(item.due)?.delete(`${item.pk} ${item.sk}`);
};

const write = (item: Attributes): void => {
  forgetDue(read(item));
  const defined = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
  const pk = String(item.pk);
  const partition = partitions.get(pk) ?? new Map<string, Attributes>();
  partitions.set(pk, partition);
  partition.set(String(item.sk), defined);
  observer.onWrite(defined);
  if (typeof defined.due !== 'string') return;
  const shard = due.get(defined.due) ?? new Map<string, Attributes>();
  due.set(defined.due, shard);
  shard.set(`${pk} ${item.sk}`, defined);
};

const erase = (key: Attributes): void => {
  forgetDue(read(key));
  partitions.get(String(key.pk))?.delete(String(key.sk));
};

const fulfils = (input: Input, found: Attributes | undefined): boolean =>
  input.ConditionExpression === undefined || holds(input.ConditionExpression, input, found);

const check = (input: Input, key: Attributes): void => {
  const found = read(key);
  if (fulfils(input, found)) return;
  throw awsError('ConditionalCheckFailedException', 400, found && { Item: marshall(found) });
};

const query = (input: Input) => {
  const { KeyConditionExpression: condition = '', Limit = 1000 } = input;
  const values = input.ExpressionAttributeValues ?? {};
  const isIndex = input.IndexName !== undefined;
  const pk = String(isIndex ? values[':shard'] : values[':v0']);
  const all = (isIndex ? due : partitions).get(pk)?.values() ?? [];
  const order = isIndex ? 'due_at' : 'sk';
  const direction = input.ScanIndexForward === false ? -1 : 1;
  const start = input.ExclusiveStartKey?.sk;
  const found = [...all]
    .filter((item) => holds(condition, input, item))
    .filter(({ sk }) => start === undefined || (String(sk) > String(start) ? 1 : -1) === direction)
    .sort((a, b) => (String(a[order]) < String(b[order]) ? -direction : direction));
  const Items = found.slice(0, Limit);
  const last = found.length > Limit ? Items.at(-1) : undefined;
  return { Items, ...(last && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
};

const transact = ({ TransactItems }: Input) => {
  const writes: readonly [string, Input][] = TransactItems.map(
    (write: Record<string, Input>) => Object.entries(write)[0],
  );
  const reasons = writes.map(([, write]) => ({
    Code: fulfils(write, read(write.Key ?? write.Item ?? {})) ? 'None' : 'ConditionalCheckFailed',
  }));
  if (reasons.some(({ Code }) => Code !== 'None'))
    throw awsError('TransactionCanceledException', 400, { CancellationReasons: reasons });
  for (const [kind, input] of writes) {
    if (kind === 'Put') write(input.Item ?? {});
    else if (kind === 'Delete') erase(input.Key ?? {});
    else if (kind === 'Update')
      write(updated(input.UpdateExpression ?? '', input, read(input.Key ?? {}) ?? { ...input.Key }));
  }
  return {};
};

const carryOut = (name: string, input: Input): unknown => {
  switch (name) {
    case 'GetCommand':
      return { Item: read(input.Key ?? {}) };
    case 'PutCommand':
      check(input, input.Item ?? {});
      write(input.Item ?? {});
      return {};
    case 'UpdateCommand': {
      check(input, input.Key ?? {});
      const after = updated(input.UpdateExpression ?? '', input, read(input.Key ?? {}) ?? { ...input.Key });
      write(after);
      return { Attributes: after };
    }
    case 'DeleteCommand':
      check(input, input.Key ?? {});
      erase(input.Key ?? {});
      return {};
    case 'QueryCommand':
      return query(input);
    case 'TransactWriteCommand':
      return transact(input);
    case 'BatchGetCommand': {
      const [[table, { Keys }]] = Object.entries(input.RequestItems) as [[string, { Keys: Attributes[] }]];
      return { Responses: { [table]: Keys.flatMap((key) => read(key) ?? []) } };
    }
    case 'BatchWriteCommand': {
      const [[, requests]] = Object.entries(input.RequestItems) as [[string, { PutRequest: { Item: Attributes } }[]]];
      for (const { PutRequest } of requests) write(PutRequest.Item);
      return {};
    }
    default:
      throw new Error(`DynamoDB in memory does not know ${name}.`);
  }
};

/** What the files of `shared/table/` send their commands with. */
export const client = {
  send: (command: { readonly constructor: { readonly name: string }; readonly input: Input }): Promise<unknown> =>
    call('dynamodb', () => carryOut(command.constructor.name, command.input)),
};
