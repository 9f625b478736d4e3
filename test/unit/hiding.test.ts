/** How long the messages of a batch stay hidden from other functions if their function is killed, and if they fail. */
import { ChangeMessageVisibilityBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const sqs = mockClient(SQSClient);

afterAll(() => sqs.restore());
vi.stubEnv('QUEUE_URL_EVENTS', 'http://localhost/000000000000/events');
vi.stubEnv('LOG_LEVEL', 'SILENT');
const { limitHiding } = await import('../../shared/aws/hiding.ts');

const second = 1000;
const timeoutMs = 30 * second;
/** Each was received once more than the one before. */
const records = ['one', 'two', 'three', 'four'].map(
  (receiptHandle, before) =>
    ({ receiptHandle, attributes: { ApproximateReceiveCount: String(before + 1) } }) as SQSRecord,
);
let startedAt: number;
const begin = () =>
  limitHiding('events', records, { getRemainingTimeInMillis: () => startedAt + timeoutMs - Date.now() });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const changes = () =>
  sqs.commandCalls(ChangeMessageVisibilityBatchCommand).map(({ args: [{ input }] }) => ({
    queue: input.QueueUrl?.split('/').at(-1),
    ...Object.fromEntries(input.Entries?.map((entry) => [entry.ReceiptHandle, entry.VisibilityTimeout]) ?? []),
  }));

beforeEach(() => {
  vi.useFakeTimers({ now: 1_795_000_000_000 });
  startedAt = Date.now();
  sqs.reset();
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the messages of an invocation', () => {
  it('need no request if they succeed within a second', async () => {
    const end = begin();
    await pass(second - 1);
    await end([]);
    await pass(timeoutMs);
    expect(changes()).toEqual([]);
  });

  it('become visible ten seconds after its timeout if it is killed', async () => {
    begin();
    await pass(timeoutMs);
    // After the first second, 29 seconds are left until the timeout.
    expect(changes()).toEqual([{ queue: 'events', one: 39, two: 39, three: 39, four: 39 }]);
  });

  it.each([0.5, 5])('are tried again after 5 s, and ever later, up to 180 s, if they fail after %d s', async (ran) => {
    const end = begin();
    await pass(ran * second);
    sqs.resetHistory();
    await end(records);
    expect(Object.assign({}, ...changes())).toEqual({ queue: 'events', one: 5, two: 20, three: 80, four: 180 });
  });

  it('need no second request if they succeed', async () => {
    const end = begin();
    await pass(5 * second);
    await end([]);
    expect(changes()).toHaveLength(1);
  });

  it('are processed even if their visibility cannot be changed', async () => {
    sqs.on(ChangeMessageVisibilityBatchCommand).rejects(new Error('no answer'));
    const end = begin();
    await pass(5 * second);
    await end(records.slice(0, 1));
    expect(changes()).toHaveLength(2);
  });
});
