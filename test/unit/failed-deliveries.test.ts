/** `delivery.failed` is published with the end of a delivery, whenever it ends and whatever fails. */
import { expect, it, vi } from 'vitest';
import type { AcceptedEvent } from '../../shared/events/event.ts';
import { day } from '../../shared/foundation/clock.ts';
import { subscriberKey } from '../../shared/webhooks/table-keys.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import {
  answered,
  deliverySettings,
  healthyWebhook,
  iso,
  now,
  receiverInMemory,
  worldOf,
} from '../support/deliver-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
vi.mock('../../shared/aws/metrics.ts', () => ({ count: vi.fn(), measure: vi.fn() }));
const { sendDueMessages } = await import('../../shared/due/outbox.ts');
const { deliverBatch } = await import('../../shared/deliveries/attempt/deliver.ts');
const { fanOut } = await import('../../shared/deliveries/fan-out/fan-out.ts');

stopTime(now);
const { event, message, stored, webhook } = worldOf(aws);

/** Attempts a delivery and fans its failure out to a webhook of the integration. Returns what is posted to it. */
const reported = async (failing: typeof healthyWebhook, body_hash: string, changes: object = {}) => {
  const listener = webhook({ event: 'delivery.failed' }, 7);
  const { integration_id } = listener;
  aws.put(subscriberKey('delivery.failed', listener.id), { webhook_id: listener.id, integration_id });
  const failed = message(failing, body_hash, changes);
  const { sender, requests } = receiverInMemory(({ url }) => answered(url === failing.target_url ? 400 : 200));
  const deliver = (messages: (typeof failed)[]) =>
    Promise.all(deliverBatch({ sender, settings: deliverySettings }, messages, 'normal'));
  await deliver([failed]);
  const { status, last_error } = stored(failed);
  const body: AcceptedEvent = aws.sent()[0]?.body as never;
  await fanOut(body, deliverySettings);
  const sent = aws.sent().map(({ body }) => body as never);
  await deliver(sent);
  return { failed: { status, last_error }, posted: requests.filter(({ url }) => url === listener.target_url).length };
};

it.each([
  ['the queue fails', () => aws.fail('SendMessageBatchCommand')],
  ['the answer to the write is lost', () => aws.fail('TransactWriteCommand', { after: true })],
])('a failed delivery is reported even if %s', async (_, fault) => {
  aws.put(subscriberKey('delivery.failed', healthyWebhook.id), { webhook_id: healthyWebhook.id });
  const failed = message(webhook({}, 6), event());
  fault();
  await Promise.allSettled(
    deliverBatch(
      {
        sender: receiverInMemory(() => answered(400)).sender,
        settings: { ...deliverySettings, retryAfterSeconds: [] },
      },
      [failed],
      'normal',
    ),
  );
  const id = `delivery-failed-${failed.delivery_id}`;
  await sendDueMessages([{ pk: `OUTBOX#events#${id}`, sk: 'OUTBOX' }]);
  expect(stored(failed)).toMatchObject({ status: 'failed' });
  expect(aws.sent()).toMatchObject([{ queue: 'events', body: { id, event: 'delivery.failed' }, group: 'masthead' }]);
});

it('a delivery that expires before its first attempt is reported, although its event is over a week old', async () => {
  const late = { created_at: iso(now - 8 * day) };
  const outcome = await reported(webhook({ target_url: 'https://late.example/' }, 9), event(late), late);
  expect(outcome).toEqual({ failed: { status: 'failed', last_error: 'expired' }, posted: 1 });
});
