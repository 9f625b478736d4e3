/** The emulator reads queues as Lambda does: in batches, with partial failures, redelivery and dead letters. */
import type { SQSEvent } from 'aws-lambda';
import { afterEach, expect, test } from 'vitest';
import { arn, region } from '../../infra/emulator/account.ts';
import type { EventSource } from '../../infra/emulator/deployment.ts';
import type { Run } from '../../infra/emulator/lambda/environment.ts';
import { type QueueEvents, type RunningEventSource, readQueue } from '../../infra/emulator/lambda/event-source.ts';
import type { Pool } from '../../infra/emulator/lambda/pool.ts';
import { type QueuePart, startFauxqs } from '../../infra/emulator/parts/fauxqs.ts';
import { provisionQueue } from '../../infra/emulator/provision.ts';
import { temporaryHome } from '../support/parts-running-stack.ts';

const arnOf = (name: string) => arn('sqs', name);
const running: (RunningEventSource | QueuePart)[] = [];

const nothingElse: QueueEvents = { lateness: () => 0, isShownAgain: () => false, onBatch() {} };

afterEach(async () => {
  for (const part of running.splice(0).reverse()) await part.stop();
});

/** A queue whose messages are visible again at once, and dead letters after the second receive. */
const queueOf = async (attributes: Record<string, string> = {}) => {
  const part = startFauxqs();
  running.push(part);
  const redrive = { deadLetterTargetArn: arnOf('dead'), maxReceiveCount: 2 };
  for (const queue of [
    { name: 'dead', attributes: {} },
    { name: 'work', attributes: { VisibilityTimeout: '0', RedrivePolicy: JSON.stringify(redrive), ...attributes } },
  ])
    provisionQueue(part.queues, queue, `http://queues/000000000000/${queue.name}`);
  const send = async (...bodies: string[]) => {
    await (await part.app()).inject({
      method: 'POST',
      url: '/',
      headers: { 'x-amz-target': 'AmazonSQS.SendMessageBatch', 'content-type': 'application/x-amz-json-1.0' },
      payload: JSON.stringify({
        QueueUrl: `http://queues/000000000000/work`,
        Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
      }),
    });
  };
  const bodies = (name: string) => {
    const messages = part.queues.inspectQueue(name)?.messages;
    return [...(messages?.ready ?? []), ...(messages?.inflight.map(({ message }) => message) ?? [])].map(
      ({ body }) => body,
    );
  };
  return { part, send, bodies };
};

const source = (more: Partial<EventSource> = {}): EventSource => ({
  functionName: 'worker',
  queueName: 'work',
  queueArn: arnOf('work'),
  batchSize: 10,
  windowMs: 0,
  // A second reader would receive a message as soon as it is visible again.
  maxConcurrency: 1,
  reportsItemFailures: true,
  ...more,
});

const poolOf = (work: (event: SQSEvent) => Promise<Run>) => {
  const batches: string[][] = [];
  const pool: Pick<Pool, 'invoke'> = {
    invoke(event) {
      const batch = event as SQSEvent;
      batches.push(batch.Records.map(({ body }) => body));
      return work(batch);
    },
  };
  return { pool, batches };
};

const ok = (result: unknown = undefined): Run => ({ ok: true, result, ms: 1 });
const failed: Run = { ok: false, error: { name: 'Error', message: 'no' }, ms: 1 };

test("messages that were sent together arrive as one batch, with the fields of Lambda's records", async () => {
  const { part, send, bodies } = await queueOf();
  const seen = Promise.withResolvers<SQSEvent>();
  const { pool } = poolOf(async (event) => {
    seen.resolve(event);
    return ok();
  });
  running.push(readQueue(source(), part.queues, pool, nothingElse));
  await send('a', 'b', 'c');
  const { Records } = await seen.promise;
  expect(Records.map(({ body }) => body)).toEqual(['a', 'b', 'c']);
  expect(Records[0]).toMatchObject({
    eventSource: 'aws:sqs',
    eventSourceARN: arnOf('work'),
    awsRegion: region,
    attributes: { ApproximateReceiveCount: '1' },
  });
  await expect.poll(() => bodies('work')).toEqual([]);
});

test('a failed message is received again, and becomes a dead letter after its last receive', async () => {
  const { part, send, bodies } = await queueOf();
  const { pool, batches } = poolOf(async ({ Records }) =>
    ok({
      batchItemFailures: Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    }),
  );
  running.push(readQueue(source(), part.queues, pool, nothingElse));
  await send('good', 'bad', 'good too');
  await expect.poll(() => bodies('dead')).toEqual(['bad']);
  expect(batches).toEqual([['good', 'bad', 'good too'], ['bad']]);
  expect(bodies('work')).toEqual([]);
});

test.each([
  ['the function throws', failed],
  ['the function reports an id that is not in the batch', ok({ batchItemFailures: [{ itemIdentifier: 'unknown' }] })],
  ['the function reports an empty id', ok({ batchItemFailures: [{ itemIdentifier: '' }] })],
])('the whole batch is received again if %s', async (_case, run) => {
  const { part, send, bodies } = await queueOf();
  const { pool, batches } = poolOf(async () => run);
  running.push(readQueue(source(), part.queues, pool, nothingElse));
  await send('a', 'b');
  await expect.poll(() => bodies('dead')).toEqual(['a', 'b']);
  expect(batches).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

test('at most the configured number of batches run at the same time, and all are processed', async () => {
  const { part, send, bodies } = await queueOf({ VisibilityTimeout: '600' });
  let atWork = 0;
  let most = 0;
  const release: (() => void)[] = [];
  const { pool, batches } = poolOf(async () => {
    atWork += 1;
    most = Math.max(most, atWork);
    await new Promise<void>((resolve) => release.push(resolve));
    atWork -= 1;
    return ok();
  });
  running.push(readQueue(source({ batchSize: 1, maxConcurrency: 2 }), part.queues, pool, nothingElse));
  await send(...Array.from({ length: 10 }, (_, index) => String(index)));
  while (batches.length < 10 || bodies('work').length > 0) {
    for (const go of release.splice(0)) go();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(most).toBe(2);
});

test('a delayed message is received after its delay', async () => {
  const { part, bodies } = await queueOf();
  const seen = Promise.withResolvers<SQSEvent>();
  const { pool } = poolOf(async (event) => {
    seen.resolve(event);
    return ok();
  });
  running.push(readQueue(source(), part.queues, pool, nothingElse));
  await (await part.app()).inject({
    method: 'POST',
    url: '/',
    headers: { 'x-amz-target': 'AmazonSQS.SendMessage', 'content-type': 'application/x-amz-json-1.0' },
    payload: JSON.stringify({ QueueUrl: `http://queues/000000000000/work`, MessageBody: 'later', DelaySeconds: 1 }),
  });
  const [record] = (await seen.promise).Records;
  const { SentTimestamp, ApproximateFirstReceiveTimestamp } = record?.attributes ?? expect.fail();
  expect(Number(ApproximateFirstReceiveTimestamp)).toBeGreaterThanOrEqual(Number(SentTimestamp) + 1000);
  await expect.poll(() => bodies('work')).toEqual([]);
});

test('messages that a killed process was handling are visible again at the next start', async () => {
  const home = temporaryHome();
  const first = startFauxqs({ folder: home.folder });
  provisionQueue(first.queues, { name: 'work', attributes: { VisibilityTimeout: '600' } }, 'http://a/0/work');
  await (await first.app()).inject({
    method: 'POST',
    url: '/',
    headers: { 'x-amz-target': 'AmazonSQS.SendMessage', 'content-type': 'application/x-amz-json-1.0' },
    payload: JSON.stringify({ QueueUrl: 'http://a/0/work', MessageBody: 'kept' }),
  });
  expect(first.queues.getQueueByName('work')?.dequeue(10)).toHaveLength(1);
  await first.stop();

  const second = startFauxqs({ folder: home.folder });
  running.push(second);
  provisionQueue(second.queues, { name: 'work', attributes: { VisibilityTimeout: '600' } }, 'http://b/0/work');
  const { pool, batches } = poolOf(async () => ok());
  running.push(readQueue(source(), second.queues, pool, nothingElse));
  await expect.poll(() => batches).toEqual([['kept']]);
  home.remove();
});
