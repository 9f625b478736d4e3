/** The clients of DynamoDB and SQS. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
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
