/**
 * A handler tested alone, with the AWS SDK mocked: the example of docs/local.md. Prefer the real parts (`freshStack`):
 * a mock returns the values of the test, not those of AWS.
 */
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { apiEvent, lambdaContext } from '../support/parts-event.ts';
import { settingsText } from '../support/settings-text.ts';

const dynamodb = mockClient(DynamoDBDocumentClient);

afterAll(() => dynamodb.restore());
const sqs = mockClient(SQSClient);
afterAll(() => sqs.restore());
const key = { id: '0'.repeat(24), secret: '1'.repeat(64) };
const integration = { id: '2'.repeat(24), name: 'Site', can_publish: true };

vi.stubEnv('TABLE_NAME', 'masthead-test');
vi.stubEnv('BASE_URL', 'http://localhost/ghost/api');
vi.stubEnv('QUEUE_URL_EVENTS', 'http://localhost/000000000000/events');
vi.stubEnv('LOG_LEVEL', 'SILENT');
vi.stubEnv('SETTINGS', settingsText());
// The handler reads its environment when it is imported.
const { handler } = await import('../../functions/events/publish.ts');

beforeEach(() => {
  dynamodb.reset();
  sqs.reset();
  const owner = { kind: 'integration', integration_id: integration.id };
  dynamodb.on(GetCommand, { Key: { pk: `KEY#${key.id}`, sk: 'KEY' } }).resolves({ Item: { ...key, owner } });
  dynamodb
    .on(GetCommand, { Key: { pk: `INTEGRATION#${integration.id}`, sk: 'INTEGRATION' } })
    .resolves({ Item: integration });
});

const publish = (seconds = 10) => {
  const body = { events: [{ event: 'site.changed', payload: {} }] };
  const request = { method: 'POST', path: '/admin/events/', body, key: `${key.id}:${key.secret}` };
  return handler(apiEvent(request, '/admin/events/', '/ghost/api'), lambdaContext('events/publish', seconds));
};

it('publishing returns 202 once the queue has the event', async () => {
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [{ Id: '0', MessageId: 'm', MD5OfMessageBody: '' }] });
  expect(await publish()).toMatchObject({ statusCode: 202 });
  const [sent] = sqs.commandCalls(SendMessageBatchCommand);
  const [entry] = sent?.args[0].input.Entries ?? [];
  expect(JSON.parse(entry?.MessageBody ?? '')).toMatchObject({
    event: 'site.changed',
    publisher: `integration:${integration.id}`,
  });
});

it('publishing returns 503 if the queue does not accept the event', async () => {
  sqs.on(SendMessageBatchCommand).rejects(new Error('no connection'));
  expect(await publish()).toMatchObject({ statusCode: 503 });
});

it('publishing returns 503 shortly before the Lambda timeout if the calls to AWS take too long', async () => {
  sqs.on(SendMessageBatchCommand).callsFake(() => new Promise(() => {}));
  const answer = await publish(0.3);
  expect([answer.statusCode, answer.headers?.['Retry-After']]).toEqual([503, '2']);
});
