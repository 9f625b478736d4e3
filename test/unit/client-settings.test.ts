/** The clients of DynamoDB and SQS. */
import { setFlagsFromString } from 'node:v8';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { clientSettings, prepared } from '../../shared/aws/client-settings.ts';

/** Functions have both from Lambda. */
const settings = { ...clientSettings, region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

it.each([
  ['DynamoDB', new DynamoDBClient(settings)],
  ['SQS', new SQSClient(settings)],
])('the client of %s confirms authority, and neither prepares log entries nor names its features', (_name, client) => {
  const before = client.middlewareStack.identify().join('\n');
  // The SDK could rename them in a release.
  expect(before).toContain('loggerMiddleware');
  expect(before).toContain('getUserAgentMiddleware');

  const steps = prepared(client).middlewareStack.identify().join('\n');

  expect(steps).toContain('confirmAuthority');
  expect(steps).not.toContain('loggerMiddleware');
  expect(steps).not.toContain('getUserAgentMiddleware');
});

/** Whether V8 keeps an object as a record rather than as a hash table, which is slow to copy. */
const isRecord = (value: object): boolean => {
  setFlagsFromString('--allow-natives-syntax');
  const ask = new Function('value', 'return %HasFastProperties(value)');
  setFlagsFromString('--no-allow-natives-syntax');
  return ask(value);
};

const unanswered = {
  ...settings,
  maxAttempts: 1,
  requestHandler: { handle: () => Promise.reject(new Error('no connection')) },
};

it('the configs of both clients, which the SDK copies for each request, are soon records', async () => {
  const table = prepared(new DynamoDBClient(unanswered));
  const queues = prepared(new SQSClient(unanswered));
  for (let sent = 0; sent < 50; sent++)
    await Promise.allSettled([table.send(new ListTablesCommand()), queues.send(new ListQueuesCommand())]);
  expect([isRecord(table.config), isRecord(queues.config)]).toEqual([true, true]);
});
