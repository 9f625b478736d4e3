/** Random operations on the table: those that `shared/table` makes, and some that DynamoDB refuses. */
import fc from 'fast-check';
import {
  type Change,
  type Condition,
  conditionExpression,
  conditionOf,
  Placeholders,
  updateExpression,
  type Value,
} from '../../shared/table/condition.ts';
import type { tableCommands } from '../world/dynamodb/commands.ts';

export interface Operation {
  readonly name: (typeof tableCommands)[number];
  readonly input: Readonly<Record<string, unknown>>;
}

/** Few keys and few values, so that the operations affect each other. */
const partitions = ['A', 'B'];
const sortKeys = ['a1', 'a2', 'b1', 'b2', 'c1'];
const attributes = ['status', 'attempts', 'note', 'due_at', 'list', 'pk'];
const texts = ['', 'x', 'y', 'zz'];

const key = fc.record({ pk: fc.constantFrom(...partitions), sk: fc.constantFrom(...sortKeys) });
const list = fc.array(fc.constantFrom('p', 'q'), { maxLength: 3 });
const scalar: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom(...texts),
  fc.integer({ min: -2, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const value: fc.Arbitrary<Value> = fc.oneof(scalar, list, fc.record({ inner: scalar }));
const dueTime = fc.integer({ min: 0, max: 9 }).map((minute) => `2026-11-01T00:0${minute}:00.000Z`);

const item = fc
  .record(
    {
      status: fc.constantFrom('pending', 'retrying', 'delivered'),
      attempts: fc.integer({ min: 0, max: 4 }),
      note: value,
      list,
      due: fc.constantFrom('DUE#0', 'DUE#1'),
      due_at: dueTime,
    },
    { requiredKeys: [] },
  )
  .chain((fields) => key.map((its) => ({ ...its, ...fields })));

const attribute = fc.constantFrom(...attributes);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ op: fc.constantFrom('exists', 'missing'), attribute }),
  fc.record({ op: fc.constantFrom('=', '<>', '<', '<=', '>', '>='), attribute, value: scalar }),
);
const joined = (inner: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.record({ op: fc.constantFrom('and', 'or'), conditions: fc.array(inner, { minLength: 1, maxLength: 3 }) });
const condition = fc.oneof(leaf, joined(fc.oneof(leaf, joined(leaf))));

/** Sometimes sets and removes the same attribute, which DynamoDB refuses. */
const change: fc.Arbitrary<Change> = fc.record(
  {
    set: fc.dictionary(fc.constantFrom('status', 'attempts', 'note', 'due', 'due_at'), fc.oneof(scalar, dueTime), {
      maxKeys: 3,
    }),
    remove: fc.uniqueArray(fc.constantFrom('note', 'due', 'due_at', 'list'), { maxLength: 2 }),
    add: fc.dictionary(fc.constantFrom('attempts', 'total'), fc.integer({ min: 1, max: 3 }), { maxKeys: 1 }),
    append: fc.dictionary(fc.constant('list'), list, { maxKeys: 1 }),
  },
  { requiredKeys: [] },
);

const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined });

const updateOf = (its: object, its_change: Change, its_condition: Condition | undefined): Record<string, unknown> => {
  const placeholders = new Placeholders();
  const UpdateExpression = updateExpression(its_change, placeholders);
  return { Key: its, UpdateExpression, ...conditionOf(its_condition, placeholders), ...placeholders.members() };
};

const checkOf = (its: object, its_condition: Condition): Record<string, unknown> => {
  const placeholders = new Placeholders();
  const ConditionExpression = conditionExpression(its_condition, placeholders);
  return { Key: its, ConditionExpression, ...placeholders.members() };
};

const put = fc.tuple(item, maybe(condition)).map(([Item, its]) => ({ Item, ...conditionOf(its) }));
const updateBy = (by: fc.Arbitrary<Change>) =>
  fc
    .tuple(key, by, maybe(condition))
    .map(([its, its_change, its_condition]) => updateOf(its, its_change, its_condition));
const remove = fc.tuple(key, maybe(condition)).map(([Key, its]) => ({ Key, ...conditionOf(its) }));

/**
 * Updates that are valid for any item. In transactions, dynoxide does not check overlapping paths, which DynamoDB
 * refuses, and reports a value of the wrong type as an error of the whole transaction.
 */
const plainChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ set: fc.dictionary(fc.constantFrom('status', 'note', 'list'), scalar, { minKeys: 1, maxKeys: 3 }) }),
  fc.record({ set: fc.record({ due: fc.constantFrom('DUE#0', 'DUE#1'), due_at: dueTime }) }),
  fc.record({ remove: fc.constantFrom(['due', 'due_at'], ['note']) }),
);

const inTransaction = fc.oneof(
  put.map((Put) => ({ Put })),
  updateBy(plainChange).map((Update) => ({ Update })),
  remove.map((Delete) => ({ Delete })),
  fc.tuple(key, condition).map(([its, when]) => ({ ConditionCheck: checkOf(its, when) })),
);

const sortKeyTerm = fc.oneof(
  fc.constant({ expression: '', values: {} }),
  fc.constantFrom('a', 'b', 'x').map((start) => ({ expression: ' AND begins_with(#sk, :s)', values: { ':s': start } })),
  fc
    .tuple(fc.constantFrom('a', 'a2', 'b1'), fc.constantFrom('b1', 'b9', 'c2'))
    .map(([from, to]) => ({ expression: ' AND #sk BETWEEN :s AND :t', values: { ':s': from, ':t': to } })),
  fc
    .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), fc.constantFrom(...sortKeys))
    .map(([sign, one]) => ({ expression: ` AND #sk ${sign} :s`, values: { ':s': one } })),
);

const page = { Limit: maybe(fc.integer({ min: 1, max: 3 })), ScanIndexForward: fc.boolean() };

const query = fc
  .record({
    ...page,
    pk: fc.constantFrom(...partitions),
    term: sortKeyTerm,
    after: maybe(fc.constantFrom(...sortKeys)),
  })
  .map(({ pk, term, after, ...rest }) => ({
    ...rest,
    ConsistentRead: true,
    KeyConditionExpression: `#pk = :pk${term.expression}`,
    ExpressionAttributeNames: { '#pk': 'pk', ...(term.expression !== '' && { '#sk': 'sk' }) },
    ExpressionAttributeValues: { ':pk': pk, ...term.values },
    ...(after !== undefined && term.expression === '' && { ExclusiveStartKey: { pk, sk: after } }),
  }));

const queryDue = fc
  .record({ ...page, shard: fc.constantFrom('DUE#0', 'DUE#1'), until: dueTime })
  .map(({ shard, until, ...rest }) => ({
    ...rest,
    IndexName: 'due',
    KeyConditionExpression: 'due = :shard AND due_at <= :until',
    ExpressionAttributeValues: { ':shard': shard, ':until': until },
  }));

/** Operations that DynamoDB refuses regardless of the table's content. */
const refused = fc.constantFrom<Operation>(
  { name: 'GetCommand', input: { Key: { pk: 'A' } } },
  { name: 'GetCommand', input: { Key: { pk: '', sk: 'a1' } } },
  { name: 'PutCommand', input: { Item: { pk: 'A', note: 'without a sort key' } } },
  { name: 'PutCommand', input: { Item: { pk: 'A', sk: 'a1', due: '' } } },
  { name: 'PutCommand', input: { Item: { pk: 'A', sk: 'a1' }, ConditionExpression: 'attribute_exists(#a)' } },
  { name: 'PutCommand', input: { Item: { pk: 'A', sk: 'a1' }, ConditionExpression: '#a = = :b' } },
  { name: 'PutCommand', input: { Item: { pk: 'A', sk: 'a1' }, ExpressionAttributeNames: { '#a': 'a' } } },
  {
    name: 'UpdateCommand',
    input: {
      Key: { pk: 'A', sk: 'a1' },
      UpdateExpression: 'SET #a = :v REMOVE #a',
      ExpressionAttributeNames: { '#a': 'note' },
      ExpressionAttributeValues: { ':v': 1 },
    },
  },
  {
    name: 'UpdateCommand',
    input: {
      Key: { pk: 'A', sk: 'a1' },
      UpdateExpression: 'SET #a = :v',
      ExpressionAttributeNames: { '#a': 'note', '#b': 'unused' },
      ExpressionAttributeValues: { ':v': 1 },
    },
  },
  {
    name: 'BatchGetCommand',
    input: {
      Keys: [
        { pk: 'A', sk: 'a1' },
        { pk: 'A', sk: 'a1' },
      ],
    },
  },
  { name: 'QueryCommand', input: { KeyConditionExpression: 'sk = :v', ExpressionAttributeValues: { ':v': 'a1' } } },
);

const named = <Input>(name: Operation['name'], input: fc.Arbitrary<Input>): fc.Arbitrary<Operation> =>
  input.map((its) => ({ name, input: its as Operation['input'] }));

const returned = fc.constantFrom('NONE', 'ALL_NEW');

export const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: named('PutCommand', put) },
    {
      weight: 6,
      arbitrary: named(
        'UpdateCommand',
        fc.tuple(updateBy(change), returned).map(([input, ReturnValues]) => ({ ...input, ReturnValues })),
      ),
    },
    { weight: 2, arbitrary: named('DeleteCommand', remove) },
    {
      weight: 2,
      arbitrary: named(
        'GetCommand',
        key.map((Key) => ({ Key, ConsistentRead: true })),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'BatchGetCommand',
        fc.array(key, { minLength: 1, maxLength: 4 }).map((Keys) => ({ Keys, ConsistentRead: true })),
      ),
    },
    {
      weight: 2,
      arbitrary: named(
        'BatchWriteCommand',
        fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => ({ items })),
      ),
    },
    {
      weight: 4,
      arbitrary: named(
        'TransactWriteCommand',
        fc.array(inTransaction, { minLength: 1, maxLength: 3 }).map((TransactItems) => ({ TransactItems })),
      ),
    },
    { weight: 4, arbitrary: named('QueryCommand', query) },
    { weight: 3, arbitrary: named('QueryCommand', queryDue) },
    { weight: 2, arbitrary: refused },
  ),
  { minLength: 8, maxLength: 30 },
);
