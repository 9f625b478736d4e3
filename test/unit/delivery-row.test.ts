/** The item of a delivery: what of it is stored, and that it is the same delivery when it is read. */
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { deliveryKey, deliveryOf } from '../../shared/deliveries/row.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

const id = '019a7f3b5c00a1b2c3d4e5f6' as DeliveryId;
const webhook_id = '019a7f3b5bffa1b2c3d4e5f6' as WebhookId;
const body_hash = '0123456789abcdef'.repeat(4);
const created_at = '2025-11-13T21:59:47.968Z';
const started_at = '2025-11-13T21:59:48.025Z';

const delivered: Delivery = {
  id,
  webhook_id,
  event: 'post.published',
  event_id: 'an event, named by its publisher',
  body_hash,
  api_version: 'v6.0',
  status: 'delivered',
  trigger: 'event',
  attempts: 1,
  created_at,
  last_attempt_at: started_at,
  next_attempt_at: null,
  last_status: '204',
  last_error: null,
  waiting_for: null,
  log: [
    {
      number: 1,
      started_at,
      duration_ms: 52,
      timings: { dns_ms: null, connect_ms: 0, tls_ms: 12, first_byte_ms: 31 },
      status: '204',
      error: null,
      response: null,
    },
  ],
  expires_at: 1_765_645_474,
};

/** The same as an item. */
const short = {
  ...deliveryKey(webhook_id, id),
  event: 'post.published',
  event_id: 'an event, named by its publisher',
  body: Buffer.from(body_hash, 'hex'),
  delivered: 'v6.0 204 57 52 - 0 12 31',
  expires_at: 1_765_645_474,
};

describe('an item in the short form', () => {
  it('is a delivery that succeeded at its first attempt', () => {
    expect(deliveryOf(short)).toEqual(delivered);
  });

  it('has the trigger of a redelivery, replay or ping, and the response of the receiver', () => {
    const read = deliveryOf({ ...short, trigger: 'ping', response: 'ok' });
    expect(read).toEqual({ ...delivered, trigger: 'ping', log: [{ ...delivered.log[0], response: 'ok' }] });
  });
});

it('reads an item with all attributes as it is', () => {
  const item = { ...deliveryKey(webhook_id, id), ...delivered, status: 'retrying' };
  expect(deliveryOf(item)).toEqual(item);
});
