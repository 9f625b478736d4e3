/** Every AWS client has a request timeout: an invocation never waits until Lambda ends it. */
import { subscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { settingsText } from '../support/settings-text.ts';

/** Hangs on the first request, before its headers or in its body, and answers all later requests. */
let silence: 'no answer' | 'half an answer';
let requests: IncomingMessage[] = [];
let first = Promise.withResolvers<void>();
const aws = createServer((request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  requests.push(request);
  if (requests.length > 1) return response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  if (silence === 'half an answer') response.writeHead(200, { 'Content-Length': '2' }).write('{');
  return first.resolve();
});
const { origin: url } = await listen(aws);
Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL_DYNAMODB: url,
  AWS_ENDPOINT_URL_SQS: url,
  AWS_ENDPOINT_URL_SES: url,
  QUEUE_URL_EVENTS: `${url}/000000000000/events`,
  TABLE_NAME: 'masthead-test',
  SETTINGS: settingsText(),
});
const { get } = await import('../../shared/table/item.ts');
const { send } = await import('../../shared/aws/queues.ts');
const { sendMail } = await import('../../shared/aws/mail.ts');

beforeEach(() => {
  requests = [];
  silence = 'no answer';
  first = Promise.withResolvers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  // Real time passes, and tests can also advance it.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
});
afterEach(() => vi.useRealTimers());
afterAll(() => {
  aws.closeAllConnections();
  aws.close();
});

it('DynamoDB: a request without an answer is retried', async () => {
  const answer = get({ pk: 'p', sk: 's' });
  await first.promise;
  await vi.advanceTimersByTimeAsync(1200);
  expect(await answer).toBeUndefined();
  expect(requests).toHaveLength(2);
}, 10_000);

it('DynamoDB: a request is retried if its answer stops half-way', async () => {
  silence = 'half an answer';
  const head = Promise.withResolvers<void>();
  subscribe('http.client.response.finish', () => head.resolve());
  const answer = get({ pk: 'p', sk: 's' });
  await head.promise;
  expect(await answer).toBeUndefined();
  expect(requests).toHaveLength(2);
}, 10_000);

it('SQS: a request without an answer is retried', async () => {
  const sent = send('events', [{ body: {} }]);
  await first.promise;
  await vi.advanceTimersByTimeAsync(1200);
  await sent;
  expect(requests).toHaveLength(2);
}, 10_000);

it('SES: a mail whose request gets no answer has an unknown outcome, and is not sent again', async () => {
  const outcome = sendMail({ to: 'a@example.com', subject: 'S', text: 'T', html: 'H' });
  await first.promise;
  await vi.advanceTimersByTimeAsync(8000);
  expect(await outcome).toMatchObject({ kind: 'unknown' });
  expect(requests).toHaveLength(1);
}, 10_000);
