/** The proxy enforces IAM policies: it passes allowed calls on, and denies others with AWS's error messages. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Listening } from '../../infra/emulator/loopback.ts';
import type { Answer } from '../../infra/emulator/proxy/call.ts';
import { checkPolicies, type PolicyCheck } from '../../infra/emulator/proxy/policy.ts';
import { checkPoller } from '../../infra/emulator/proxy/poller.ts';
import { startProxy } from '../../infra/emulator/proxy/proxy.ts';
import { compile, type StatementData } from '../../infra/emulator/proxy/statements.ts';
import { grantsOf, unusedGrants } from '../support/grants.ts';

const mailFrom = (from: string, set: string) => {
  return new SendRawEmailCommand({
    Source: from,
    ConfigurationSetName: set,
    Destinations: ['ada@example.com'],
    RawMessage: { Data: Buffer.from('Subject: a\r\n\r\nb') },
  });
};

const region = 'eu-central-1';
const accountId = '000000000000';
const table = `arn:aws:dynamodb:${region}:${accountId}:table/things`;
const queue = `arn:aws:sqs:${region}:${accountId}:masthead-local-mail`;
const functionName = 'masthead-local-webhooks-create';
const names = { functions: { [functionName]: 'webhooks/create' }, queues: {} };

const onKeys = (actions: readonly string[], keys: readonly string[], resource = table): StatementData => ({
  Sid: undefined,
  Effect: 'Allow',
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: [resource],
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] },
    Null: { 'dynamodb:LeadingKeys': ['false'] },
  },
});
const plain = (actions: readonly string[], resources: readonly string[], condition = {}): StatementData => ({
  Sid: undefined,
  Effect: 'Allow',
  Action: [...actions],
  Resource: [...resources],
  Condition: condition,
});

const policies = {
  [functionName]: [
    onKeys(['GetItem', 'BatchGetItem', 'Query', 'Scan'], ['KEY#*', 'STAFF']),
    onKeys(['PutItem', 'ConditionCheckItem', 'BatchWriteItem'], ['WEBHOOK#*', 'EVENT#*']),
    onKeys(['Query'], ['DUE#*'], `${table}/index/due`),
    plain(['sqs:SendMessage'], [queue]),
    plain(
      ['ses:SendRawEmail'],
      [
        `arn:aws:ses:${region}:${accountId}:identity/example.com`,
        `arn:aws:ses:${region}:${accountId}:configuration-set/masthead`,
      ],
      { StringEquals: { 'ses:FromAddress': ['desk@example.com'] } },
    ),
  ],
};

const answers: Record<string, Answer> = {};
const ok = (body: string, type = 'application/x-amz-json-1.0'): Answer => ({
  status: 200,
  headers: { 'content-type': type },
  body: Buffer.from(body),
});
let proxy: Listening;
let policy: PolicyCheck;
let refusals: string[];
let check: { current: PolicyCheck };
const client = { region, credentials: { accessKeyId: functionName, secretAccessKey: 'local' }, maxAttempts: 1 };
let dynamodb: DynamoDBClient;
let sqs: SQSClient;
let ses: SESClient;

beforeAll(async () => {
  check = { current: checkPolicies({}, { partitionKeys: {}, names, onRefusal() {} }) };
  const part = async () => answers.next ?? ok('{}');
  proxy = await startProxy({ dynamodb: part, sqs: part, ses: part }, [(call, next) => check.current.step(call, next)]);
  dynamodb = new DynamoDBClient({ ...client, endpoint: proxy.origin });
  sqs = new SQSClient({ ...client, endpoint: proxy.origin });
  ses = new SESClient({ ...client, endpoint: proxy.origin });
});
afterAll(() => proxy.stop());
beforeEach(() => {
  refusals = [];
  policy = checkPolicies(policies, {
    partitionKeys: { things: 'pk', 'things/index/due': 'due' },
    names,
    onRefusal: (message) => refusals.push(message),
  });
  check.current = policy;
  delete answers.next;
});

const send = (command: unknown): Promise<unknown> => Reflect.apply(dynamodb.send, dynamodb, [command]);
const key = (pk: string) => ({ pk, sk: 'x' });
const refused = (action: string, resource: string) =>
  `User: arn:aws:sts::${accountId}:assumed-role/${functionName}/${functionName} is not authorized to perform: ` +
  `${action} ` +
  `on resource: ${resource} because no identity-based policy allows the ${action} action`;

describe('the policy allows', () => {
  test.each([
    ['an item whose partition is granted', () => new GetCommand({ TableName: 'things', Key: key('KEY#1') })],
    [
      'a batch with granted keys only',
      () => new BatchGetCommand({ RequestItems: { things: { Keys: [key('KEY#1'), key('STAFF')] } } }),
    ],
    [
      'a batch of writes',
      () =>
        new BatchWriteCommand({
          RequestItems: {
            things: [{ PutRequest: { Item: key('WEBHOOK#1') } }, { DeleteRequest: { Key: key('EVENT#1') } }],
          },
        }),
    ],
    [
      'a query, by the values of its placeholders',
      () =>
        new QueryCommand({
          TableName: 'things',
          KeyConditionExpression: '#pk = :v0 AND begins_with(#sk, :v1)',
          ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
          ExpressionAttributeValues: { ':v0': 'STAFF', ':v1': 'a' },
        }),
    ],
    [
      'a query of an index, by the key of the index',
      () =>
        new QueryCommand({
          TableName: 'things',
          IndexName: 'due',
          KeyConditionExpression: 'due = :shard AND due_at <= :until',
          ExpressionAttributeValues: { ':shard': 'DUE#1', ':until': 'now' },
        }),
    ],
    [
      'a transaction, as its single actions',
      () =>
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: 'things', Item: key('WEBHOOK#1') } },
            {
              ConditionCheck: { TableName: 'things', Key: key('EVENT#1'), ConditionExpression: 'attribute_exists(pk)' },
            },
          ],
        }),
    ],
  ])('%s', async (_title, command) => {
    await send(command());
    expect(refusals).toEqual([]);
  });

  test('a batch of messages, if a single message is allowed', async () => {
    answers.next = ok(
      '{"Successful":[{"Id":"0","MessageId":"m","MD5OfMessageBody":"0cc175b9c0f1b6a831c399e269772661"}]}',
    );
    const QueueUrl = `${proxy.origin}/${accountId}/masthead-local-mail`;
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', MessageBody: 'a' }] }));
  });

  test('a mail from the granted sender, through the granted configuration set', async () => {
    answers.next = ok(
      '<SendRawEmailResponse><SendRawEmailResult><MessageId>m</MessageId></SendRawEmailResult></SendRawEmailResponse>',
      'text/xml',
    );
    await ses.send(mailFrom('"The Desk" <desk@example.com>', 'masthead'));
  });
});

describe('a call is denied with the message of AWS', () => {
  test.each([
    [
      'an action that is not granted',
      'dynamodb:PutItem',
      () => new PutCommand({ TableName: 'things', Item: key('KEY#1') }),
    ],
    [
      'a partition that is not granted',
      'dynamodb:GetItem',
      () => new GetCommand({ TableName: 'things', Key: key('WEBHOOK#1') }),
    ],
    [
      'a batch with one key that is not granted',
      'dynamodb:BatchGetItem',
      () => new BatchGetCommand({ RequestItems: { things: { Keys: [key('KEY#1'), key('WEBHOOK#1')] } } }),
    ],
    [
      'a transaction with one write that is not granted',
      'dynamodb:DeleteItem',
      () =>
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: 'things', Item: key('WEBHOOK#1') } },
            { Delete: { TableName: 'things', Key: key('EVENT#1') } },
          ],
        }),
    ],
    ['a request without a key', 'dynamodb:Scan', () => new ScanCommand({ TableName: 'things' })],
  ])('because of %s', async (_title, action, command) => {
    await expect(send(command())).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: refused(action, table),
      $metadata: { httpStatusCode: 400 },
    });
  });

  test('because of a transaction over several partitions, if IAM reads all of its keys for each action', async () => {
    const narrow = [onKeys(['PutItem'], ['WEBHOOK#*']), onKeys(['DeleteItem'], ['EVENT#*'])];
    const write = () =>
      send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: 'things', Item: key('WEBHOOK#1') } },
            { Delete: { TableName: 'things', Key: key('EVENT#1') } },
          ],
        }),
      );
    const options = { partitionKeys: { things: 'pk' }, names, onRefusal() {} };
    check.current = checkPolicies({ [functionName]: narrow }, options);
    await write();
    check.current = checkPolicies({ [functionName]: narrow }, { ...options, transactions: 'together' });
    await expect(write()).rejects.toThrow(refused('dynamodb:PutItem', table));
    const union = [onKeys(['PutItem', 'DeleteItem'], ['WEBHOOK#*', 'EVENT#*'])];
    check.current = checkPolicies({ [functionName]: union }, { ...options, transactions: 'together' });
    await write();
  });

  test('because of another table', async () => {
    await expect(dynamodb.send(new GetCommand({ TableName: 'others', Key: key('KEY#1') }))).rejects.toThrow(
      refused('dynamodb:GetItem', table.replace('things', 'others')),
    );
  });

  test('because of another queue, and the message has the action in lower case, as in SQS', async () => {
    const QueueUrl = `${proxy.origin}/${accountId}/masthead-local-events`;
    await expect(sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a' }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: refused('sqs:sendmessage', queue.replace('mail', 'events')),
    });
  });

  test.each([
    ['another sender', 'root@example.com', 'masthead', 'identity/example.com'],
    ['another configuration set', 'desk@example.com', 'other', 'configuration-set/other'],
  ])('because of %s', async (_title, from, set, place) => {
    await expect(ses.send(mailFrom(from, set))).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining(
        `perform \`ses:SendRawEmail' on resource \`arn:aws:ses:${region}:${accountId}:${place}'`,
      ),
    });
  });

  test('because of an unknown caller', async () => {
    const stranger = new DynamoDBClient({
      ...client,
      endpoint: proxy.origin,
      credentials: { accessKeyId: 'stranger', secretAccessKey: 'x' },
    });
    await expect(stranger.send(new GetCommand({ TableName: 'things', Key: key('KEY#1') }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
  });

  test('and the operator sees a line with function, action and partition', async () => {
    await dynamodb.send(new GetCommand({ TableName: 'things', Key: key('WEBHOOK#1') })).catch(() => {});
    expect(refusals).toEqual([`webhooks/create was refused dynamodb:GetItem on WEBHOOK#1 in ${table}`]);
  });

  test('because of a Deny statement, even beside an Allow', async () => {
    const own = policies[functionName] ?? [];
    const denial: StatementData = { ...onKeys(['GetItem'], ['KEY#1']), Effect: 'Deny' };
    check.current = checkPolicies(
      { [functionName]: [...own, denial] },
      { partitionKeys: { things: 'pk' }, names, onRefusal() {} },
    );
    await expect(dynamodb.send(new GetCommand({ TableName: 'things', Key: key('KEY#1') }))).rejects.toThrow('GetItem');
    await dynamodb.send(new GetCommand({ TableName: 'things', Key: key('KEY#2') }));
  });
});

test('a condition that the proxy does not support is an error', () => {
  expect(() => compile(plain(['sqs:SendMessage'], [queue], { IpAddress: { 'aws:SourceIp': ['10.0.0.0/8'] } }))).toThrow(
    'the condition IpAddress on aws:SourceIp is not supported by the proxy',
  );
});

test("the emulator reads a queue for a function only if the function's role may read it", () => {
  expect(() => checkPoller(policy, functionName, queue)).toThrow(
    'does not have permissions to call ReceiveMessage on SQS',
  );
});

describe('the list of unused grants', () => {
  test('contains action and partition of each grant that no call used', async () => {
    await dynamodb.send(new GetCommand({ TableName: 'things', Key: key('KEY#1') }));
    await dynamodb.send(new BatchGetCommand({ RequestItems: { things: { Keys: [key('KEY#1'), key('STAFF')] } } }));
    const unused = unusedGrants(grantsOf(policies, names), policy.used()).map(({ text }) => text);
    expect(unused).toContain('webhooks/create: dynamodb:GetItem on STAFF');
    expect(unused).toContain('webhooks/create: dynamodb:PutItem on EVENT#*');
    expect(unused).toContain('webhooks/create: sqs:SendMessage on masthead-local-mail');
    expect(unused.filter((text) => /dynamodb:(GetItem on KEY|BatchGetItem)/.test(text))).toEqual([]);
  });

  test('omits grants for logs and for receiving messages, which Lambda itself uses', () => {
    const statement = plain(['logs:PutLogEvents', 'sqs:ReceiveMessage', 'sqs:SendMessage'], [queue]);
    const grants = grantsOf({ [functionName]: [statement] }, names);
    expect(unusedGrants(grants, new Set()).map(({ text }) => text)).toEqual([
      'webhooks/create: sqs:SendMessage on masthead-local-mail',
    ]);
  });
});
