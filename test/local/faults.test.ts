/** Fault injection: each kind of fault as the SDK sees it, how often it happens, and the errors for an invalid plan. */
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Listening } from '../../infra/emulator/loopback.ts';
import type { Answer, Call } from '../../infra/emulator/proxy/call.ts';
import { type FaultPlanInput, parseFaultPlan } from '../../infra/emulator/proxy/fault-plan.ts';
import { type Faults, makeFaults } from '../../infra/emulator/proxy/faults.ts';
import { startProxy } from '../../infra/emulator/proxy/proxy.ts';
import { eventual } from '../support/eventual.ts';

const answerTo = ({ action, input }: Call): string => {
  if (action !== 'SendMessageBatch') return action === 'BatchGetItem' ? '{"Responses":{}}' : '{}';
  const { Entries } = input as { Entries: { Id: string }[] };
  return JSON.stringify({ Successful: Entries.map(({ Id }) => ({ Id, MessageId: Id })) });
};

const names = {
  functions: {
    'masthead-local-deliveries-deliver': 'deliveries/deliver',
    'masthead-local-deliveries-fan-out': 'deliveries/fan-out',
  },
  queues: { 'masthead-local-deliveries': 'deliveries', 'masthead-local-mail': 'mail' },
};
let proxy: Listening;
let dynamodb: DynamoDBClient;
let sqs: SQSClient;
let ses: SESClient;
let reached: Call[] = [];
let faults: Faults;

const client = {
  region: 'eu-central-1',
  credentials: { accessKeyId: 'masthead-local-deliveries-deliver', secretAccessKey: 'x', sessionToken: 'environment' },
  maxAttempts: 1,
};

beforeAll(async () => {
  const part = async (call: Call): Promise<Answer> => {
    reached.push(call);
    return {
      status: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(answerTo(call)),
    };
  };
  proxy = await startProxy({ dynamodb: part, sqs: part, ses: part }, [(call, next) => faults.step(call, next)]);
  dynamodb = new DynamoDBClient({ ...client, endpoint: proxy.origin });
  sqs = new SQSClient({ ...client, endpoint: proxy.origin, md5: false });
  ses = new SESClient({ ...client, endpoint: proxy.origin });
});
afterAll(() => proxy.stop());
beforeEach(() => {
  reached = [];
  faults = makeFaults(names);
});

const read = (abortSignal?: AbortSignal) =>
  dynamodb.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } }), abortSignal && { abortSignal });
/** Waits for an answer as a killed environment does: its result is not observed. */
const readInVain = () => void read().catch(() => {});
const send = (count: number) =>
  sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: `${proxy.origin}/000000000000/mail`,
      Entries: Array.from({ length: count }, (_, index) => ({ Id: String(index), MessageBody: 'x' })),
    }),
  );
const mail = () =>
  ses.send(
    new SendRawEmailCommand({
      Source: 'desk@example.com',
      Destinations: ['ada@example.com'],
      RawMessage: { Data: Buffer.from('Subject: a\r\n\r\nb') },
    }),
  );
const plan = (...list: FaultPlanInput['faults']) => faults.set({ faults: list });
/** Returns the numbers, from 1, of the reads that fail. */
const failing = async (count: number) => {
  const failed: number[] = [];
  for (let number = 1; number <= count; number++) await read().catch(() => failed.push(number));
  return failed;
};

describe('an injected fault', () => {
  test('throttles a call with the error of its service', async () => {
    plan({ fault: 'throttle' });
    await expect(read()).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    await expect(send(1)).rejects.toMatchObject({ name: 'RequestThrottled' });
    await expect(mail()).rejects.toMatchObject({ name: 'Throttling' });
    expect(reached).toEqual([]);
  });

  test.each([500, 503] as const)('returns the status %d as AWS does', async (status) => {
    plan({ fault: 'error', status });
    await expect(read()).rejects.toMatchObject({ $metadata: { httpStatusCode: status } });
    await expect(mail()).rejects.toMatchObject({ $metadata: { httpStatusCode: status } });
  });

  test('resets the connection, either before or after the call is carried out', async () => {
    plan({ fault: 'reset', times: 1 }, { fault: 'reset', after: true });
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(reached).toHaveLength(0);
    await expect(read()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(reached).toHaveLength(1);
  });

  test('sends no response until the caller gives up', async () => {
    plan({ fault: 'timeout' });
    const caller = new AbortController();
    const answer = read(caller.signal);
    answer.catch(() => {});
    await eventual(() => expect(faults.struck()).toMatchObject([{ times: 1 }]));
    caller.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('delays a response, which is otherwise unchanged', async () => {
    plan({ fault: 'slow', ms: 1 });
    await expect(read()).resolves.toBeDefined();
    expect(faults.struck()).toMatchObject([{ times: 1 }]);
  });

  test('fails some messages of a batch, which are then not sent', async () => {
    plan({ fault: 'partial' });
    const { Failed = [], Successful = [] } = await send(10);
    expect(Failed.length).toBeGreaterThan(0);
    expect(Failed.length + Successful.length).toBe(10);
    const sent = reached.flatMap(({ input }) => (input as { Entries: { Id: string }[] }).Entries.map(({ Id }) => Id));
    expect(sent).toEqual(Successful.map(({ Id }) => Id));
  });

  test('leaves some reads of a batch unprocessed, which can be read again', async () => {
    plan({ fault: 'partial' });
    const Keys = Array.from({ length: 10 }, (_, index) => ({ pk: { S: String(index) } }));
    const { UnprocessedKeys } = await dynamodb.send(
      new BatchGetItemCommand({ RequestItems: { things: { Keys, ConsistentRead: true } } }),
    );
    const left = UnprocessedKeys?.things?.Keys ?? [];
    const asked = reached.flatMap(({ input }) => (input as BatchInput).RequestItems.things.Keys);
    expect(left.length).toBeGreaterThan(0);
    expect([...left, ...asked].map((key) => key.pk?.S).sort()).toEqual(Keys.map((key) => key.pk.S));
    expect(UnprocessedKeys?.things?.ConsistentRead).toBe(true);
  });

  test('makes a write conflict with a transaction', async () => {
    plan({ fault: 'conflict' });
    const write = new DeleteItemCommand({ TableName: 'things', Key: { pk: { S: 'a' } } });
    await expect(dynamodb.send(write)).rejects.toMatchObject({ name: 'TransactionConflictException' });
    await read();
  });

  test('makes a transaction conflict with another one', async () => {
    plan({ fault: 'conflict' });
    const Delete = { TableName: 'things', Key: { pk: { S: 'a' } } };
    await expect(dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [{ Delete }] }))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
    await read();
  });
});

describe('an injected kill', () => {
  test('at the n-th call prevents that call and all later ones', async () => {
    plan({ fault: 'kill', call: 2, times: 1 });
    const kill = vi.fn();
    faults.begins('masthead-local-deliveries-deliver', 'environment', kill);
    await read();
    const never = Symbol('never');
    const pending = read();
    pending.catch(() => {});
    await eventual(() => expect(kill).toHaveBeenCalledOnce());
    readInVain();
    faults.ends('environment');
    readInVain();
    expect(await Promise.race([pending, new Promise((resolve) => setImmediate(() => resolve(never)))])).toBe(never);
    expect(reached).toHaveLength(1);
  });

  test('at the n-th call can also follow that call', async () => {
    plan({ fault: 'kill', call: 1, after: true });
    const kill = vi.fn();
    faults.begins('masthead-local-deliveries-deliver', 'environment', kill);
    readInVain();
    await eventual(() => expect(kill).toHaveBeenCalledOnce());
    expect(reached).toHaveLength(1);
  });

  test('counts calls separately in each invocation', async () => {
    plan({ fault: 'kill', call: 2 });
    for (let invocation = 0; invocation < 3; invocation++) {
      faults.begins('masthead-local-deliveries-deliver', 'environment', () => {});
      await read();
      faults.ends('environment');
    }
    expect(faults.struck()).toMatchObject([{ times: 0 }]);
  });

  test('at a random moment kills only the named function', async () => {
    plan({ fault: 'kill', function: 'deliveries/fan-out', withinMs: 1 });
    const [other, named] = [vi.fn(), vi.fn()];
    faults.begins('masthead-local-deliveries-deliver', 'a', other);
    faults.begins('masthead-local-deliveries-fan-out', 'b', named);
    await eventual(() => expect(named).toHaveBeenCalledOnce());
    expect(other).not.toHaveBeenCalled();
  });
});

describe('an injected fault happens', () => {
  test('for a function, a service and an action', async () => {
    plan(
      { fault: 'error', function: 'deliveries/fan-out' },
      { fault: 'error', service: 'sqs', action: 'SendMessage' },
      { fault: 'throttle', service: 'dynamodb', action: 'GetItem', function: 'deliveries/deliver' },
    );
    await expect(read()).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    await send(1);
    expect(faults.struck().map(({ times }) => times)).toEqual([0, 0, 1]);
  });

  test('at the given number of the call', async () => {
    plan({ fault: 'error', numbers: [1, 4] });
    expect(await failing(6)).toEqual([1, 4]);
  });

  test('at most a given number of times', async () => {
    plan({ fault: 'error', times: 2 });
    expect(await failing(6)).toEqual([1, 2]);
  });

  test('with a probability, at the same calls for the same seed and at others for another seed', async () => {
    const of = async (seed: number) => {
      faults.set({ seed, faults: [{ fault: 'error', probability: 0.3 }] });
      return failing(100);
    };
    const first = await of(1);
    expect(first.length).toBeGreaterThan(15);
    expect(first.length).toBeLessThan(45);
    expect(await of(1)).toEqual(first);
    expect(await of(2)).not.toEqual(first);
  });

  test('as duplicate or late messages of the named queue', () => {
    plan({ fault: 'duplicate', queue: 'deliveries', times: 1 }, { fault: 'late', queue: 'mail', ms: 500 });
    expect(faults.isShownAgain('mail')).toBe(false);
    expect([faults.isShownAgain('deliveries'), faults.isShownAgain('deliveries')]).toEqual([true, false]);
    expect(faults.lateness('deliveries')).toBe(0);
    expect(faults.lateness('mail')).toBeGreaterThan(0);
    expect(faults.lateness('mail')).toBeLessThanOrEqual(500);
  });

  test('never if the plan is empty', async () => {
    plan({ fault: 'error' });
    plan();
    await read();
  });
});

describe('an invalid plan', () => {
  test('is refused with the place, the value and the correction of every mistake', () => {
    const wrong = {
      faults: [
        { fault: 'throttle', service: 's3', probability: 2, functoin: 'x' },
        { fault: 'kill', function: 'no/such' },
      ],
    };
    expect(() => parseFaultPlan(wrong, names)).toThrow(/^The fault plan is invalid/);
    const text = (() => {
      try {
        return String(parseFaultPlan(wrong, names));
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    })();
    expect(text).toMatch(/faults\.0\.service: "s3" is invalid: .*dynamodb/);
    expect(text).toMatch(/faults\.0\.probability: 2 is invalid/);
    expect(text).toMatch(/faults\.0\.functoin: "functoin" is invalid/);
    expect(text).toMatch(/faults\.1\.function: "no\/such" is invalid: must be one of .*deliveries\/deliver/);
  });
});

interface BatchInput {
  readonly RequestItems: { readonly things: { readonly Keys: { readonly pk?: { readonly S?: string } }[] } };
}
