/** `delivery.failed`: the event is published before the due time is removed, so that neither a crash nor a full queue loses it. */
import { expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { newDelivery } from '../../shared/deliveries/delivery.ts';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import type { AcceptedEvent } from '../../shared/events/event.ts';
import { day } from '../../shared/foundation/clock.ts';
import { guardKey, pointerKey, subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import {
  answered,
  deliverySettings,
  healthyWebhook,
  iso,
  now,
  receiverInMemory,
  second,
  worldOf,
} from '../support/deliver-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn(), measure: vi.fn() }));
const { publishFailures } = await import('../../shared/deliveries/records/failed.ts');
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { fanOut } = await import('../../shared/deliveries/fan-out/fan-out.ts');

stopTime(now);
const { event, message, record, stored, webhook } = worldOf(aws);

/** Stores a delivery that has failed for good and is due for its event. */
const failed = () => {
  const delivery: Delivery = {
    ...newDelivery(message(healthyWebhook, '0'.repeat(64)), deliverySettings, now),
    status: 'failed',
    attempts: 10,
    last_attempt_at: iso(now),
    unrecorded: undefined,
  };
  const key = deliveryKey(delivery.webhook_id, delivery.id);
  const due = { due: 'DUE#0', due_at: iso(now) };
  aws.put(key, { ...delivery, ...due });
  return { ...delivery, ...key, ...due };
};

it('a failed delivery is no longer due once its event is published', async () => {
  const delivery = failed();
  await publishFailures([delivery]);
  expect(aws.sent()).toMatchObject([
    { queue: 'events', body: { id: `delivery-failed-${delivery.id}`, event: 'delivery.failed' }, group: 'masthead' },
  ]);
  expect(aws.read(deliveryKey(delivery.webhook_id, delivery.id))).not.toHaveProperty('due');
});

it('a failed delivery stays due if the queue refuses its event', async () => {
  const delivery = failed();
  aws.fail('SendMessageBatchCommand');
  await expect(publishFailures([delivery])).rejects.toMatchObject({ status: 503 });
  expect(aws.read(deliveryKey(delivery.webhook_id, delivery.id))).toMatchObject({ due_at: iso(now) });
});

it('a failed delivery stays due if it became due again during the publication', async () => {
  const delivery = failed();
  aws.before('UpdateCommand', () =>
    aws.change(deliveryKey(delivery.webhook_id, delivery.id), { due_at: iso(now + 1) }),
  );
  await publishFailures([delivery]);
  expect(aws.read(deliveryKey(delivery.webhook_id, delivery.id))).toMatchObject({ due_at: iso(now + 1) });
});

/** Attempts a delivery, publishes its failure, and fans that out to a webhook of the same integration. Returns what is posted to it. */
const reported = async (failing: typeof healthyWebhook, body_hash: string, changes: object = {}) => {
  const listener = webhook({ event: 'delivery.failed' }, 7);
  const { integration_id } = listener;
  aws.put(subscriberKey('delivery.failed', listener.id), { webhook_id: listener.id, integration_id });
  const failed = message(failing, body_hash, changes);
  const { sender, requests } = receiverInMemory(({ url }) => answered(url === failing.target_url ? 410 : 200));
  const deliver = (messages: (typeof failed)[]) =>
    Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, 'normal'));
  await deliver([failed]);
  const { status, last_error } = stored(failed);
  aws.sent();
  const key = deliveryKey(failing.id, failed.delivery_id);
  await publishFailures([{ ...aws.read(key), ...key }]);
  const body: AcceptedEvent = aws.sent()[0]?.body as never;
  await fanOut({ body, messageId: 'm1', sentAt: now, queue: 'events' }, now + 30 * second, deliverySettings);
  const sent = aws.sent().map(({ body }) => body as never);
  await deliver(sent);
  return { failed: { status, last_error }, posted: requests.filter(({ url }) => url === listener.target_url).length };
};

it('a delivery that fails because its receiver answers 410, which removes the webhook, is still reported', async () => {
  const gone = webhook({ target_url: 'https://gone.example/' }, 8);
  aws.put(guardKey(gone), { webhook_id: gone.id });
  aws.put(pointerKey(gone.integration_id, gone.id), { webhook_id: gone.id });
  expect(await reported(gone, event())).toEqual({ failed: { status: 'failed', last_error: 'status' }, posted: 1 });
  expect(record(gone)).toBeUndefined();
});

it('a delivery that expires before its first attempt is still reported, although its event is more than seven days old', async () => {
  const late = { created_at: iso(now - 8 * day) };
  const outcome = await reported(webhook({ target_url: 'https://late.example/' }, 9), event(late), late);
  expect(outcome).toEqual({ failed: { status: 'failed', last_error: 'expired' }, posted: 1 });
});
