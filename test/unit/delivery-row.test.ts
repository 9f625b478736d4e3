/** The table item of a delivery: what is stored, and that reading it returns the same delivery. */
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import type { Attempt } from '../../shared/deliveries/logged.ts';
import { deliveryKey, deliveryOf, itemOf, undeliveredPartition } from '../../shared/deliveries/records/row.ts';
import type { DeliveryId, IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';

const id = '019a7f3b5c00a1b2c3d4e5f6' as DeliveryId;
const webhook_id = '019a7f3b5bffa1b2c3d4e5f6' as WebhookId;
const body_hash = '0123456789abcdef'.repeat(4);
const created_at = '2025-11-13T21:59:47.968Z';
const started_at = '2025-11-13T21:59:48.025Z';

const attempt: Attempt = {
  number: 1,
  started_at,
  duration_ms: 52,
  timings: { dns_ms: null, connect_ms: 0, tls_ms: 12, first_byte_ms: 31 },
  status: '204',
  error: null,
  response: null,
};

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
  waits: 0,
  created_at,
  last_attempt_at: started_at,
  next_attempt_at: null,
  last_status: '204',
  last_error: null,
  waiting_for: null,
  replayed_by: null,
  log: [attempt],
  expires_at: 1_765_645_474,
};

/** The same delivery as an item. */
const short = {
  ...deliveryKey(webhook_id, id),
  event: 'post.published',
  event_id: 'an event, named by its publisher',
  body: Buffer.from(body_hash, 'hex'),
  delivered: 'v6.0 204 57 52 - 0 12 31',
  expires_at: 1_765_645_474,
};

describe('a short item', () => {
  it('is read as a delivery that succeeded at its first attempt', () => {
    expect(deliveryOf(short)).toEqual(delivered);
  });

  it('may also have a trigger other than an event, and the response of the receiver', () => {
    const read = deliveryOf({ ...short, trigger: 'ping', response: 'ok' });
    expect(read).toEqual({ ...delivered, trigger: 'ping', log: [{ ...attempt, response: 'ok' }] });
  });
});

describe('the item of a delivery', () => {
  it('is short if the first attempt succeeded', () => {
    expect(itemOf(delivered)).toEqual(short);
    expect(deliveryOf(itemOf(delivered))).toEqual(delivered);
  });

  it('keeps the trigger and the response', () => {
    const pinged: Delivery = { ...delivered, trigger: 'ping', log: [{ ...attempt, response: 'ok' }] };
    expect(deliveryOf(itemOf(pinged))).toMatchObject(pinged);
  });

  it.each([
    ['a phase that did not happen', { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null }],
    ['the time of each phase', { dns_ms: 1, connect_ms: 2, tls_ms: 3, first_byte_ms: 4 }],
  ])('keeps %s', (_, timings) => {
    const sent: Delivery = { ...delivered, log: [{ ...attempt, timings }] };
    expect(itemOf(sent)).toHaveProperty('delivered');
    expect(deliveryOf(itemOf(sent))).toEqual(sent);
  });

  it('keeps a request time before the acceptance time, because a clock can be slow', () => {
    const early = '2025-11-13T21:59:47.900Z';
    const sent: Delivery = { ...delivered, last_attempt_at: early, log: [{ ...attempt, started_at: early }] };
    expect(deliveryOf(itemOf(sent))).toEqual(sent);
  });

  it.each<[string, Partial<Delivery>]>([
    ['has failed', { status: 'failed' }],
    ['waits for its first attempt', { status: 'pending', attempts: 0, log: [] }],
    ['needed two attempts', { attempts: 2, log: [{ ...attempt, status: '500' }, attempt] }],
    ['has another time than its id', { created_at: '2025-11-13T00:00:00.000Z' }],
    ['has a body without a hash', { body_hash: 'unknown' }],
    ['has a longer hash', { body_hash: `${body_hash}0` }],
    ['was recorded without its API version', { api_version: undefined } as unknown as Partial<Delivery>],
  ])('has all attributes if the delivery %s', (_, fields) => {
    const delivery: Delivery = { ...delivered, ...fields };
    expect(itemOf(delivery)).toMatchObject(delivery);
    expect(deliveryOf(itemOf(delivery))).toMatchObject(delivery);
  });

  it('is in the index of its integration and status until the delivery succeeds', () => {
    const failed: Delivery = {
      ...delivered,
      status: 'failed',
      integration_id: '019a7f3b5bfea1b2c3d4e5f6' as IntegrationId,
    };
    const { undelivered, undelivered_at } = itemOf(failed);
    expect({ undelivered, undelivered_at }).toEqual({
      undelivered: undeliveredPartition(
        { id: webhook_id, integration_id: failed.integration_id as IntegrationId },
        'failed',
      ),
      undelivered_at: id,
    });
    const second: Delivery = { ...failed, ...itemOf(failed), status: 'delivered', attempts: 2 };
    expect(itemOf(second)).toMatchObject({ undelivered: undefined, undelivered_at: undefined });
  });

  it('is in the index of its event if somebody requested the delivery', () => {
    expect(itemOf(delivered)).toMatchObject({ requested: undefined });
    expect(itemOf({ ...delivered, trigger: 'ping' })).toMatchObject({ requested: body_hash, requested_at: id });
  });

  it('is in the index of due items only as long as the delivery is due', () => {
    const waiting: Delivery = { ...delivered, status: 'retrying' };
    expect(itemOf(waiting, 1_800_000_000_000)).toMatchObject({ due_at: '2027-01-15T08:00:00.000Z' });
    expect(itemOf({ ...waiting, ...itemOf(waiting, 1) })).toMatchObject({ due: undefined, due_at: undefined });
    expect(itemOf({ ...delivered, ...itemOf(waiting, 1), status: 'delivered' })).not.toHaveProperty('due_at');
  });
});
