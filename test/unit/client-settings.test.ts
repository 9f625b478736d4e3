/** The AWS clients of DynamoDB and SQS: only the steps that Masthead needs, and configs that are fast to copy. */
import { setFlagsFromString } from 'node:v8';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { clientSettings, prepared } from '../../shared/aws/client-settings.ts';

/** Lambda sets the region and the credentials of its functions. */
const settings = { ...clientSettings, region: 'eu-central-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };

it.each([
  ['DynamoDB', new DynamoDBClient(settings)],
  ['SQS', new SQSClient(settings)],
])('the %s client confirms its authority, but writes no SDK logs and no list of SDK features', (_name, client) => {
  const before = client.middlewareStack.identify().join('\n');
  // Fails if a release of the SDK renames these steps.
  expect(before).toContain('loggerMiddleware');
  expect(before).toContain('getUserAgentMiddleware');

  const steps = prepared(client).middlewareStack.identify().join('\n');

  expect(steps).toContain('confirmAuthority');
  expect(steps).not.toContain('loggerMiddleware');
  expect(steps).not.toContain('getUserAgentMiddleware');
});

it('the clients give up after seven seconds without an answer: an endpoint ends after ten', () => {
  const { connectionTimeout, requestTimeout, socketTimeout, throwOnRequestTimeout } = clientSettings.requestHandler;
  const firstOnes = (clientSettings.maxAttempts - 1) * Math.max(connectionTimeout, requestTimeout);
  // The last attempt waits as long for its headers as any attempt does for its body.
  expect(firstOnes + socketTimeout).toBeLessThanOrEqual(7000);
  expect(throwOnRequestTimeout).toBe(true);
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

it('V8 soon stores the configs of both clients as records, which are fast to copy', async () => {
  const table = prepared(new DynamoDBClient(unanswered));
  const queues = prepared(new SQSClient(unanswered));
  for (let sent = 0; sent < 50; sent++)
    await Promise.allSettled([table.send(new ListTablesCommand()), queues.send(new ListQueuesCommand())]);
  expect([isRecord(table.config), isRecord(queues.config)]).toEqual([true, true]);
});
