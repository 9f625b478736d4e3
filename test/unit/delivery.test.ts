/** The record of a delivery, its message in the queue, and how long it is stored. */
import { describe, expect, it } from 'vitest';
import {
  asFound,
  type DeliveryMessage,
  deliveryId,
  expiresAt,
  isUnfinished,
  messageOf,
  newDelivery,
} from '../../shared/deliveries/delivery.ts';
import { deliveryStates } from '../../shared/deliveries/resource.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
const day = 86_400;
const message: DeliveryMessage = {
  delivery_id: 'd'.repeat(24) as DeliveryId,
  webhook_id: 'a'.repeat(24) as WebhookId,
  body_hash: 'h1',
  event: 'post.added',
  event_id: 'e1',
  created_at: '2026-11-21T09:00:00.000Z',
  attempt: 1,
  waits: 0,
  trigger: 'event',
};
const rules = { keepDays: 30 };
describe('a new delivery', () => {
  const delivery = newDelivery(message, rules, now);

  it('is pending and has no attempts', () => {
    expect(delivery).toEqual({
      id: message.delivery_id,
      webhook_id: message.webhook_id,
      event: 'post.added',
      event_id: 'e1',
      body_hash: 'h1',
      status: 'pending',
      trigger: 'event',
      attempts: 0,
      waits: 0,
      created_at: message.created_at,
      last_attempt_at: null,
      next_attempt_at: null,
      last_status: null,
      last_error: null,
      waiting_for: null,
      replayed_by: null,
      log: [],
      expires_at: now / 1000 + 30 * day,
    });
  });

  it('has a message for its next attempt', () => {
    expect(messageOf(delivery)).toStrictEqual(message);
    expect(messageOf({ ...delivery, attempts: 3 })).toStrictEqual({ ...message, attempt: 4 });
  });

  it('is early if the message of its attempt says so, which can be ahead of its record', () => {
    const early = { ...message, waits: 1, early: 2 };
    const found = asFound(delivery, early, rules, now);
    expect(found).toMatchObject({ waits: 1, early: 2 });
    expect(messageOf(found)).toStrictEqual(early);
  });

  it('is unfinished while another attempt may follow', () => {
    expect(deliveryStates.filter((status) => isUnfinished({ status }))).toEqual(['pending', 'retrying']);
  });
});

describe('the expiry of a delivery', () => {
  it('comes after the retention of the log, in whole seconds', () => {
    expect(expiresAt(now + 999, rules)).toBe(now / 1000 + 30 * day);
  });

  it('is never before the last possible attempt, a week after the event', () => {
    expect(expiresAt(now, { keepDays: 1 })).toBe(now / 1000 + 8 * day);
  });
});

describe('the id of a delivery', () => {
  it('starts with the time; the rest differs by event, webhook and request', () => {
    const id = deliveryId(now, 'h1', message.webhook_id);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(id.slice(0, 12)).toBe(now.toString(16).padStart(12, '0'));
    expect(deliveryId(now, 'h1', message.webhook_id)).toBe(id);
    const others = [
      deliveryId(now, 'h2', message.webhook_id),
      deliveryId(now, 'h1', 'b'.repeat(24) as WebhookId),
      deliveryId(now, 'h1', message.webhook_id, 'r1'),
      deliveryId(now, 'h1', message.webhook_id, 'r2'),
    ];
    expect(new Set([id, ...others]).size).toBe(5);
    for (const other of others) expect(other.slice(0, 12)).toBe(id.slice(0, 12));
  });

  it('is the same in every release, so that a repeated message finds its delivery', () => {
    expect(deliveryId(now, 'h1', message.webhook_id)).toBe('01a1fd8c6900660991f883b5');
  });
});
