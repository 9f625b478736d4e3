/** The proxy counts what AWS would charge for a function, without the function noticing. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, type Call, readCall } from '../../infra/emulator/proxy/call.ts';
import { type Counter, startCounting } from '../../infra/emulator/proxy/count.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const name = 'masthead-local-webhooks-create';
let counter: Counter;
beforeEach(() => {
  counter = startCounting({
    functions: { [name]: 'webhooks/create', 'masthead-local-events-publish': 'events/publish' },
    queues: {},
  });
});
afterEach(() => stack.faults.set({ faults: [] }));

const callOf = (service: string, action: string, body: object): Call => {
  const scope = `${name}/20260101/eu-central-1/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, Signature=x`;
  const call = readCall({ authorization, 'x-amz-target': `Some.${action}` }, Buffer.from(JSON.stringify(body)));
  if (call === undefined) throw new Error('the proxy cannot parse this call');
  return call;
};
const json = (status: number, output: object): Answer => ({
  status,
  headers: { 'x-amz-crc32': '1' },
  body: Buffer.from(JSON.stringify(output)),
});
const counts = () => counter.read().functions['webhooks/create'];

test('the proxy asks for the consumed units, and removes them from the response', async () => {
  const get = callOf('dynamodb', 'GetItem', { TableName: 'things', Key: {} });
  const answer = await counter.step(get, async (call) => {
    expect(call.input).toEqual({ TableName: 'things', Key: {}, ReturnConsumedCapacity: 'TOTAL' });
    return json(200, { Item: { a: { S: 'b' } }, ConsumedCapacity: { TableName: 'things', CapacityUnits: 2.5 } });
  });
  expect(JSON.parse(answer.body.toString())).toEqual({ Item: { a: { S: 'b' } } });
  expect(answer.headers).toEqual({});
  expect(counts()).toMatchObject({ calls: { 'dynamodb:GetItem': 1 }, readUnits: 2.5, writeUnits: 0, failedCalls: 0 });
});

test("a transaction costs the sum of its tables' units", async () => {
  const capacity = [{ CapacityUnits: 4 }, { CapacityUnits: 2 }];
  await counter.step(callOf('dynamodb', 'TransactWriteItems', { TransactItems: [{}] }), async () =>
    json(200, { ConsumedCapacity: capacity }),
  );
  expect(counts()).toMatchObject({ readUnits: 0, writeUnits: 6 });
});

test('a write whose condition fails costs units, and counts as a failed call', async () => {
  await counter.step(callOf('dynamodb', 'PutItem', { Item: {} }), async () =>
    json(400, { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' }),
  );
  await counter.step(callOf('dynamodb', 'TransactWriteItems', { TransactItems: [{}, {}] }), async () =>
    json(400, { __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException' }),
  );
  expect(counts()).toMatchObject({ writeUnits: 5, failedCalls: 2 });
});

test('a request to a queue counts once for each 64 KiB', async () => {
  const send = (size: number) =>
    counter.step(callOf('sqs', 'SendMessage', { MessageBody: 'x'.repeat(size) }), async () => json(200, {}));
  await send(10);
  expect(counts()).toMatchObject({ queueRequests: 1 });
  await send(64 * 1024 + 1);
  expect(counts()).toMatchObject({ queueRequests: 3 });
  counter.polled(name, 100, 10);
  expect(counts()).toMatchObject({ queueRequests: 5, calls: { 'sqs:ReceiveMessage': 1, 'sqs:DeleteMessageBatch': 1 } });
});

test('a call without a response counts as failed', async () => {
  const broken = counter.step(callOf('sqs', 'SendMessage', {}), async () => Promise.reject(new Error('reset')));
  await expect(broken).rejects.toThrow('reset');
  expect(counts()).toMatchObject({ failedCalls: 1, calls: { 'sqs:SendMessage': 1 } });
});

test('the cost of Lambda is time multiplied by memory', () => {
  counter.invoked(name, { ms: 500, ok: true }, 512);
  counter.invoked(name, { ms: 1500, ok: false }, 512);
  expect(counts()).toMatchObject({ invocations: 2, failures: 1, ms: 2000, gbSeconds: 1 });
});

test('calls to the embedded parts are counted for each function', async () => {
  const keys = await stack.seed();
  const webhook = { event: 'post.published', target_url: 'https://example.com/counted' };
  await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    body: { webhooks: [webhook] },
    key: keys.integration,
  });
  const used = stack.counts().functions['webhooks/create'];
  // The first webhook of a stage finds no counter, and writes it.
  expect(used).toMatchObject({ invocations: 1, failures: 0, failedCalls: 1 });
  // Webhook, guard, subscriber, the integration's pointer and counter, and the audit log's entry: two units
  // each. The count of the stage, also two, and its counter, once before there is one. The last use of the key.
  expect(used?.writeUnits).toBe(2 * 6 + 2 + 2 * 1 + 1);
  expect(used?.readUnits).toBeGreaterThanOrEqual(1);
});

test('throttled calls count as failed', async () => {
  const keys = await stack.seed();
  const webhook = { event: 'page.published', target_url: 'https://example.com/throttled' };
  await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    body: { webhooks: [webhook] },
    key: keys.integration,
  });
  stack.faults.set({ faults: [{ fault: 'throttle', service: 'sqs', function: 'events/publish', times: 1 }] });
  const body = { events: [{ event: 'page.published', payload: { page: { current: {}, previous: {} } } }] };
  const answer = await stack.call('events/publish', { path: '/admin/events/', body, key: keys.integration });
  expect(answer.status).toBe(202);
  expect(stack.faults.struck()).toMatchObject([{ times: 1 }]);
  expect(stack.counts().functions['events/publish']).toMatchObject({
    calls: { 'sqs:SendMessageBatch': 2 },
    failedCalls: 1,
  });
});
