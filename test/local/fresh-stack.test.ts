/** `freshStack` runs a handler with the function's policy and with fault injection (lab/reports/faults.md). */
import { randomBytes } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { throughTheQueue, unstorable } from '../support/deliveries.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack, type SeededKeys } from '../support/parts.ts';
import { InvocationKilled, startTestProxy } from '../support/parts-proxy.ts';

const stack = await freshStack();
let keys: SeededKeys;
beforeAll(async () => {
  keys = await stack.seed();
});
beforeEach(() => stack.faults.set({ faults: [] }));

const publish = () =>
  stack.call('events/publish', {
    path: '/admin/events/',
    body: { events: [{ event: 'tag.added', payload: { tag: { current: {} } } }] },
    key: keys.integration,
  });

test('a denied call fails the test and names function and action, even if the handler catches the error', async () => {
  const stage = `t${randomBytes(4).toString('hex')}`;
  const proxy = await startTestProxy({ stage, sender: 'desk@example.com' });
  const client = new DynamoDBClient({ endpoint: proxy.url, maxAttempts: 1 });
  const TableName = `masthead-${stage}`;
  const handler = async () => {
    const Item = { pk: { S: 'KEY#1' }, sk: { S: 'KEY' } };
    await client.send(new PutItemCommand({ TableName, Item })).catch(() => 'swallowed');
    return 'fine';
  };
  await expect(proxy.run('roles/list', handler)).rejects.toThrow(
    'roles/list was refused dynamodb:PutItem on KEY#1 in ' +
      `arn:aws:dynamodb:eu-central-1:000000000000:table/${TableName}: ` +
      'its line in shared/contract.ts does not grant it',
  );
});

test('a killed invocation rejects, and its calls before the kill have taken effect', async () => {
  const kill = { fault: 'kill', function: 'events/publish', service: 'sqs', after: true, times: 1 } as const;
  stack.faults.set({ faults: [unstorable, kill] });
  await expect(publish()).rejects.toThrow(InvocationKilled);
  expect(await stack.messages('events')).toHaveLength(1);
});

test('a killed batch counts as failed, and is processed when its messages are visible again', async () => {
  await stack.drain('events');
  await throughTheQueue(stack, publish);
  stack.faults.set({ faults: [{ fault: 'kill', function: 'deliveries/fan-out', call: 1, times: 1 }] });
  expect(await stack.drain('events')).toEqual({ succeeded: 0, failed: 1 });
  expect(await stack.drain('events')).toEqual({ succeeded: 1, failed: 0 });
});

test('a message that is received twice is processed twice and deleted once', async () => {
  const { inviteOne } = await inviting(stack, keys);
  await inviteOne(newAddress());
  const before = stack.counts().functions['mail/send']?.invocations ?? 0;
  stack.faults.set({ faults: [{ fault: 'duplicate', queue: 'mail', times: 1 }] });
  expect(await stack.drain('mail')).toEqual({ succeeded: 1, failed: 0 });
  expect(stack.counts().functions['mail/send']?.invocations).toBe(before + 2);
});

test('late messages arrive after the others, and none is lost', async () => {
  for (let count = 0; count < 5; count++) await throughTheQueue(stack, publish);
  stack.faults.set({ seed: 2, faults: [{ fault: 'late', queue: 'events', ms: 10, probability: 0.5 }] });
  expect(await stack.drain('events')).toEqual({ succeeded: 5, failed: 0 });
  expect(stack.faults.struck()[0]?.times).toBeGreaterThan(0);
});
