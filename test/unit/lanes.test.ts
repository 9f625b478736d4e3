/** The delivery queues: only one function sends messages to them, and every message has a message group. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import type { DeliveryMessage } from '../../shared/deliveries/delivery.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

const sqs = mockClient(SQSClient);

afterAll(() => sqs.restore());
vi.stubEnv('QUEUE_URL_DELIVERIES', 'http://localhost/000000000000/deliveries');
vi.stubEnv('QUEUE_URL_SLOW_DELIVERIES', 'http://localhost/000000000000/slow-deliveries');
const { laneOf, sendToLanes } = await import('../../shared/deliveries/lanes.ts');

const message = (webhook: string): DeliveryMessage => ({
  delivery_id: '1'.repeat(24) as DeliveryId,
  webhook_id: webhook.repeat(24) as WebhookId,
  body_hash: 'f'.repeat(64),
  event: 'post.published',
  event_id: 'e1',
  created_at: '2026-11-21T09:00:00.000Z',
  attempt: 1,
  waits: 0,
  trigger: 'event',
});

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [] });
});

it('each delivery queue belongs to one lane', () => {
  expect(laneOf('deliveries')).toBe('normal');
  expect(laneOf('slow-deliveries')).toBe('slow');
});

it('only a queue with messages gets a request, and a delay of zero is omitted', async () => {
  await sendToLanes([{ message: message('a'), lane: 'slow', delaySeconds: 0 }]);
  const inputs = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input);
  expect(inputs.map(({ QueueUrl }) => QueueUrl?.split('/').at(-1))).toEqual(['slow-deliveries']);
  expect(inputs[0]?.Entries?.[0]?.DelaySeconds).toBeUndefined();
});

it('every message has its webhook as message group in both lanes', async () => {
  await sendToLanes([
    { message: message('a'), lane: 'normal' },
    { message: message('b'), lane: 'slow', delaySeconds: 5 },
    { message: message('c'), lane: 'slow' },
  ]);
  const sent = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args: [{ input }] }) =>
    (input.Entries ?? []).map(({ MessageGroupId, DelaySeconds }) => ({
      queue: input.QueueUrl?.split('/').at(-1),
      MessageGroupId,
      DelaySeconds,
    })),
  );
  expect(sent).toEqual([
    { queue: 'deliveries', MessageGroupId: 'a'.repeat(24), DelaySeconds: undefined },
    { queue: 'slow-deliveries', MessageGroupId: 'b'.repeat(24), DelaySeconds: 5 },
    { queue: 'slow-deliveries', MessageGroupId: 'c'.repeat(24), DelaySeconds: undefined },
  ]);
});

it('no other file sends to a delivery queue', () => {
  const root = join(import.meta.dirname, '../..');
  const sending = ['functions', 'shared'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && file !== 'shared/contract.ts')
      .filter((file) => /send\(\s*'(slow-)?deliveries'/.test(readFileSync(join(root, file), 'utf8'))),
  );
  expect(sending).toEqual([]);
});
