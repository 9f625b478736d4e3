/** `delivery.failed`: the event is published before the due time is removed, so that neither a crash nor a full queue loses it. */
import { expect, it, vi } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { newDelivery } from '../../shared/deliveries/delivery.ts';
import { deliveryKey } from '../../shared/deliveries/records/row.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { deliverySettings, healthyWebhook, iso, now, worldOf } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn() }));
const { publishFailures } = await import('../../shared/deliveries/records/failed.ts');

stopTime(now);
const { message } = worldOf(aws);

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
