/** The queue calls of functions are answered without fauxqs's server, but with the same responses. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { startFauxqs } from '../../infra/emulator/parts/fauxqs.ts';
import { provisionQueue } from '../../infra/emulator/provision.ts';
import { readCall } from '../../infra/emulator/proxy/call.ts';
import { forwardToQueues } from '../../infra/emulator/proxy/forward.ts';

const QueueUrl = 'http://queues/000000000000/work';
const part = startFauxqs();
provisionQueue(part.queues, { name: 'work', attributes: {} }, QueueUrl);
afterAll(() => part.stop());
beforeEach(() => part.queues.clearMessages());

const entry = { Id: 'a', MessageBody: 'text “ä”' };
const comparable = (body: string) => body.replaceAll(/"MessageId":"[^"]+"/g, '"MessageId":""');

it.each([
  ['SendMessageBatch', { QueueUrl, Entries: [entry, { ...entry, Id: 'b', DelaySeconds: 5, MessageGroupId: 'g' }] }],
  ['SendMessageBatch', { QueueUrl, Entries: [entry, entry] }],
  ['SendMessageBatch', { QueueUrl, Entries: [] }],
  ['SendMessageBatch', { QueueUrl: `${QueueUrl}-2`, Entries: [entry] }],
  ['SendMessageBatch', {}],
  ['GetQueueAttributes', { QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }],
  ['GetQueueAttributes', { QueueUrl: `${QueueUrl}-2`, AttributeNames: ['All'] }],
])('a direct call returns what the server returns: %s %j', async (action, input) => {
  const answered = part.answer(action, input);
  part.queues.clearMessages();
  const byServer = await (await part.app()).inject({
    method: 'POST',
    url: '/',
    headers: { 'x-amz-target': `AmazonSQS.${action}`, 'content-type': 'application/x-amz-json-1.0' },
    payload: JSON.stringify(input),
  });
  expect(answered?.status).toBe(byServer.statusCode);
  // The server adds a charset, which AWS does not.
  const [type] = String(byServer.headers['content-type']).split(';');
  expect({ 'x-amzn-query-error': undefined, ...answered?.headers }).toEqual({
    'content-type': type,
    'x-amzn-query-error': byServer.headers['x-amzn-query-error'],
  });
  expect(comparable(answered?.body ?? '')).toBe(comparable(byServer.body));
});

it('all other actions go to the server', () => {
  expect(part.answer('PurgeQueue', { QueueUrl })).toBeUndefined();
});

it.each([
  ['SendMessage', (DelaySeconds: number) => ({ QueueUrl, MessageBody: 'x', DelaySeconds })],
  ['SendMessageBatch', (DelaySeconds: number) => ({ QueueUrl, Entries: [entry, { ...entry, Id: 'b', DelaySeconds }] })],
])('%s is refused for a delay of more than 15 minutes, as SQS refuses it', async (action, inputWith) => {
  const authorization =
    'AWS4-HMAC-SHA256 Credential=masthead-local-due-sweep/20260101/eu-central-1/sqs/aws4_request, Signature=none';
  const headers = {
    authorization,
    'x-amz-target': `AmazonSQS.${action}`,
    'content-type': 'application/x-amz-json-1.0',
  };
  const send = (seconds: number) =>
    forwardToQueues(part)(readCall(headers, Buffer.from(JSON.stringify(inputWith(seconds)))) ?? expect.fail());
  expect((await send(900)).status).toBe(200);
  expect(await send(901)).toMatchObject({ status: 400, body: expect.any(Buffer) });
  expect((await send(901)).body.toString()).toContain('InvalidParameterValue');
});
