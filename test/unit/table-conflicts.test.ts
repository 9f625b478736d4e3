/** Errors of DynamoDB: a conflict is retried, a failed condition is returned, and any other error is thrown. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { is } from '../../shared/table/condition.ts';

interface Refusal {
  readonly __type: string;
  readonly CancellationReasons?: readonly { readonly Code: string }[];
}

/** DynamoDB with a list of answers, some of which are lost; after the list, every request succeeds. */
let answers: (Refusal | 'lost' | { readonly [member: string]: object })[] = [];
let asked = 0;
let bodies: string[] = [];
const dynamodb = createServer(async (request, response) => {
  asked += 1;
  bodies.push(await text(request));
  const answer = answers.shift() ?? { Attributes: { pk: { S: 'p' } } };
  if (answer === 'lost') {
    request.socket.destroy();
    return;
  }
  response.writeHead('__type' in answer ? 400 : 200, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(answer));
});
const { origin } = await listen(dynamodb);
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: origin,
  TABLE_NAME: 'masthead-test',
});
const { ConditionFailed } = await import('../../shared/table/conditional.ts');
const { getMany, putMany } = await import('../../shared/table/batch.ts');
const { get, put, remove, update } = await import('../../shared/table/item.ts');
const { query } = await import('../../shared/table/query.ts');
const { transact } = await import('../../shared/table/transaction.ts');

beforeEach(() => {
  asked = 0;
  bodies = [];
  // The wait between two attempts is a random part of a growing limit.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => {
  dynamodb.closeAllConnections();
  dynamodb.close();
});

const key = { pk: 'p', sk: 's' };
const type = (name: string): Refusal => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}` });
const cancelled = (...codes: string[]): Refusal => ({
  ...type('TransactionCanceledException'),
  CancellationReasons: codes.map((Code) => ({ Code })),
});

const writes: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['put', () => put({ ...key, a: 1 }, is('b', 2))],
  ['update', () => update(key, { set: { a: 1 } }, is('b', 2))],
  ['remove', () => remove(key, is('b', 2))],
];

describe.each(writes)('%s', (_, write) => {
  it('is sent again unchanged if it conflicts with a transaction', async () => {
    answers = [type('TransactionConflictException'), type('TransactionConflictException')];
    await write();
    expect(asked).toBe(3);
    expect(new Set(bodies).size).toBe(1);
  });

  it('fails with 429 if it conflicts with transactions every time', async () => {
    answers = Array.from({ length: 20 }, () => type('TransactionConflictException'));
    await expect(write()).rejects.toMatchObject({ status: 429 });
    expect(asked).toBe(8);
  });

  it('throws an internal error if DynamoDB refuses it for another reason', async () => {
    answers = [type('ResourceNotFoundException')];
    await expect(write()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(asked).toBe(1);
  });

  it('returns the refusal if its condition fails', async () => {
    answers = [type('ConditionalCheckFailedException')];
    await expect(write()).rejects.toBeInstanceOf(ConditionFailed);
    expect(asked).toBe(1);
  });
});

describe('a transaction', () => {
  const twoPuts = () =>
    transact([
      { kind: 'put', item: { ...key, a: 1 } },
      { kind: 'put', item: { pk: 'q', sk: 's' } },
    ]);

  it.each([
    ['a conflict', cancelled('None', 'TransactionConflict')],
    ['missing capacity', cancelled('ThrottlingError', 'None')],
    ['its own first attempt, still running', type('TransactionInProgressException')],
  ])('is retried if it meets %s', async (_, refusal) => {
    answers = [refusal, refusal];
    await twoPuts();
    expect(asked).toBe(3);
  });

  it('keeps its client request token while its first attempt runs, so it cannot happen twice', async () => {
    // More often than the SDK retries.
    answers = Array.from({ length: 6 }, () => type('TransactionInProgressException'));
    await twoPuts();
    expect(new Set(bodies.map((body) => JSON.parse(body).ClientRequestToken)).size).toBe(1);
  });

  it('gets a new client request token once it was cancelled', async () => {
    answers = [cancelled('None', 'TransactionConflict')];
    await twoPuts();
    expect(new Set(bodies.map((body) => JSON.parse(body).ClientRequestToken)).size).toBe(2);
  });

  it('keeps its token after a lost answer, because the lost attempt may have been executed', async () => {
    answers = ['lost', cancelled('None', 'TransactionConflict'), cancelled('None', 'TransactionConflict')];
    await twoPuts();
    expect(asked).toBe(4);
    expect(new Set(bodies.map((body) => JSON.parse(body).ClientRequestToken)).size).toBe(1);
  });

  it('returns which of its conditions failed, even next to a conflict', async () => {
    answers = [cancelled('TransactionConflict', 'ConditionalCheckFailed')];
    await expect(twoPuts()).rejects.toEqual(new ConditionFailed(new Set([1])));
    expect(asked).toBe(1);
  });

  it.each(['ValidationError', 'ItemCollectionSizeLimitExceeded'])(
    'is not retried if it can never succeed: %s',
    async (code) => {
      answers = [cancelled('None', code)];
      await expect(twoPuts()).rejects.toMatchObject({ name: 'TransactionCanceledException' });
      expect(asked).toBe(1);
    },
  );

  it('throws an internal error if DynamoDB refuses it', async () => {
    answers = [type('ResourceNotFoundException')];
    await expect(twoPuts()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    expect(asked).toBe(1);
  });

  it.each([
    ['429 and the reason if it conflicts with other transactions every time', 429, ['None', 'TransactionConflict']],
    ['503 and the reason if the table lacks capacity, too', 503, ['ThrottlingError', 'TransactionConflict']],
  ])('fails with %s', async (_, status, codes) => {
    answers = Array.from({ length: 20 }, () => cancelled(...codes));
    await expect(twoPuts()).rejects.toMatchObject({ status, cause: { name: 'TransactionCanceledException' } });
    expect(asked).toBe(8);
  });
});

describe('a batch that DynamoDB processes only in part', () => {
  const marshalled = { pk: { S: 'p' }, sk: { S: 's' } };
  const written = (item: object) => ({ ...item, format: { N: '1' } });
  const other = { pk: { S: 'p' }, sk: { S: 'other' } };
  const unread = { UnprocessedKeys: { 'masthead-test': { Keys: [other] } } };
  const unwritten = { UnprocessedItems: { 'masthead-test': [{ PutRequest: { Item: other } }] } };
  const read = (...items: object[]) => ({ Responses: { 'masthead-test': items } });
  const keys = [key, { pk: 'p', sk: 'other' }];
  const requests = () => bodies.map((body) => JSON.parse(body).RequestItems['masthead-test']);

  it('is read completely by asking again for the rest', async () => {
    answers = [{ ...read(marshalled), ...unread }, read(other)];
    expect(await getMany(keys)).toEqual(keys);
    expect(requests().map(({ Keys }) => Keys)).toEqual([[marshalled, other], [other]]);
  });

  it('is written completely by sending the rest again', async () => {
    answers = [unwritten];
    await putMany(keys);
    expect(requests()).toEqual([
      [{ PutRequest: { Item: written(marshalled) } }, { PutRequest: { Item: written(other) } }],
      [{ PutRequest: { Item: other } }],
    ]);
  });

  it.each([
    ['read', () => getMany(keys), { ...unread }],
    ['written', () => putMany(keys), unwritten],
  ])('can be %s up to the eighth attempt', async (_, act, rest) => {
    answers = Array.from({ length: 7 }, () => rest);
    await act();
    expect(asked).toBe(8);
  });

  it.each([
    ['unread', () => getMany(keys), { ...unread }, 'BatchGetItem left keys unread'],
    ['unwritten', () => putMany(keys), unwritten, 'BatchWriteItem left items unwritten'],
  ])('fails with 503 and the reason if a part stays %s', async (_, act, rest, message) => {
    answers = Array.from({ length: 20 }, () => rest);
    await expect(act()).rejects.toMatchObject({ status: 503, cause: { message } });
    expect(asked).toBe(8);
  });
});

describe('a read', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['an item', () => get(key)],
    ['a partition', () => query('p')],
    ['many items', () => getMany([key])],
  ])('of %s is strongly consistent', async (_, read) => {
    await read();
    expect(bodies).toEqual([expect.stringContaining('"ConsistentRead":true')]);
  });
});
