/** Every AWS client has a request timeout: an invocation never waits until Lambda ends it. */
import { subscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listen } from '../../infra/emulator/loopback.ts';
import { settingsText } from '../support/settings-text.ts';

/** Hangs on the first requests, before their headers or in their body, and answers all later requests. */
let silence: 'no answer' | 'half an answer';
let hanging = 1;
let requests: IncomingMessage[] = [];
let arrived = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
const aws = createServer((request: IncomingMessage, response: ServerResponse) => {
  request.resume();
  requests.push(request);
  arrived[requests.length - 1]?.resolve();
  if (requests.length > hanging) response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  else if (silence === 'half an answer') response.writeHead(200, { 'Content-Length': '2' }).write('{');
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
  hanging = 1;
  arrived = Array.from({ length: 3 }, () => Promise.withResolvers());
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
  await arrived[0]?.promise;
  await vi.advanceTimersByTimeAsync(1200);
  expect(await answer).toBeUndefined();
  expect(requests).toHaveLength(2);
});

it('DynamoDB: the last of three attempts has five seconds, because a slow table still answers it', async () => {
  hanging = 3;
  const answer = get({ pk: 'p', sk: 's' }).catch((error: unknown) => error);
  let ended = false;
  void answer.finally(() => {
    ended = true;
  });
  for (const attempt of [0, 1]) {
    await arrived[attempt]?.promise;
    await vi.advanceTimersByTimeAsync(1200);
  }
  await arrived[2]?.promise;
  await vi.advanceTimersByTimeAsync(3500);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1500);
  expect(await answer).toMatchObject({ status: 503 });
});

it('DynamoDB: a request is retried if its answer stops half-way', async () => {
  silence = 'half an answer';
  const head = Promise.withResolvers<void>();
  subscribe('http.client.response.finish', () => head.resolve());
  const answer = get({ pk: 'p', sk: 's' });
  await head.promise;
  expect(await answer).toBeUndefined();
  expect(requests).toHaveLength(2);
});

it('SQS: a request without an answer is retried', async () => {
  const sent = send('events', [{ body: {} }]);
  await arrived[0]?.promise;
  await vi.advanceTimersByTimeAsync(1200);
  await sent;
  expect(requests).toHaveLength(2);
});

it('SES: a mail whose request gets no answer has an unknown outcome, and is not sent again', async () => {
  const outcome = sendMail({ to: 'a@example.com', subject: 'S', text: 'T', html: 'H' });
  await arrived[0]?.promise;
  await vi.advanceTimersByTimeAsync(8000);
  expect(await outcome).toMatchObject({ kind: 'unknown' });
  expect(requests).toHaveLength(1);
});
