/** What the table makes of DynamoDB's refusals: contention is tried again, a lost condition is told, anything else is a fault. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { exists } from '../../shared/table/condition.ts';

interface Refusal {
  readonly __type: string;
  readonly CancellationReasons?: readonly { readonly Code: string }[];
}

/** DynamoDB with a list of answers; where it is at its end, everything succeeds. */
let answers: Refusal[] = [];
let asked = 0;
/** Bodies of the requests, as text. */
let bodies: string[] = [];
const dynamodb = createServer(async (request, response) => {
  asked += 1;
  bodies.push(await text(request));
  const refusal = answers.shift();
  response.writeHead(refusal === undefined ? 200 : 400, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify(refusal ?? { Attributes: { pk: { S: 'p' } } }));
});
await new Promise<void>((resolve) => dynamodb.listen(0, '127.0.0.1', resolve));
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${(dynamodb.address() as AddressInfo).port}`,
  TABLE_NAME: 'masthead-test',
});
const { ConditionFailed } = await import('../../shared/table/conditional.ts');
const { put, remove, update } = await import('../../shared/table/item.ts');
const { transact } = await import('../../shared/table/transaction.ts');

beforeEach(() => {
  asked = 0;
  bodies = [];
  // Waits between two tries are a random part of up to a second.
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
  ['put', () => put({ ...key, a: 1 }, exists())],
  ['update', () => update(key, { set: { a: 1 } }, exists())],
  ['remove', () => remove(key, exists())],
];

describe.each(writes)('%s', (_, write) => {
  it('that meets a transaction is tried again', async () => {
    answers = [type('TransactionConflictException'), type('TransactionConflictException')];
    await write();
    expect(asked).toBe(3);
  });

  it('that meets transactions for ever is a 503', async () => {
    answers = Array.from({ length: 20 }, () => type('TransactionConflictException'));
    await expect(write()).rejects.toMatchObject({ status: 503 });
    expect(asked).toBe(8);
  });

  it('whose condition does not hold tells so', async () => {
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
    ['its own first try, still running', type('TransactionInProgressException')],
  ])('that meets %s is tried again', async (_, refusal) => {
    answers = [refusal, refusal];
    await twoPuts();
    expect(asked).toBe(3);
  });

  it('keeps its client request token while its own first try is still running, so that it cannot be carried out twice', async () => {
    // More than the SDK itself tries again.
    answers = Array.from({ length: 6 }, () => type('TransactionInProgressException'));
    await twoPuts();
    expect(new Set(bodies.map((body) => JSON.parse(body).ClientRequestToken)).size).toBe(1);
  });

  it('takes a new client request token after it was cancelled', async () => {
    answers = [cancelled('None', 'TransactionConflict')];
    await twoPuts();
    expect(new Set(bodies.map((body) => JSON.parse(body).ClientRequestToken)).size).toBe(2);
  });

  it('whose conditions do not hold tells which, also beside a conflict', async () => {
    answers = [cancelled('TransactionConflict', 'ConditionalCheckFailed')];
    await expect(twoPuts()).rejects.toEqual(new ConditionFailed(new Set([1])));
    expect(asked).toBe(1);
  });

  it('that can never work is not tried again', async () => {
    answers = [cancelled('None', 'ValidationError')];
    await expect(twoPuts()).rejects.toMatchObject({ name: 'TransactionCanceledException' });
    expect(asked).toBe(1);
  });
});
