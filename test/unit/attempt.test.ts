/** The effect of an attempt on its delivery: final failures, and requests of the receiver. */
import { describe, expect, it } from 'vitest';
import { judge } from '../../shared/deliveries/attempt.ts';
import { newDelivery } from '../../shared/deliveries/delivery.ts';
import { noTimings, type SendErrorClass } from '../../shared/deliveries/sender/result.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

const rules = { keepDays: 30, retryAfterSeconds: [0, 5, 300] };
const now = Date.parse('2026-11-21T09:00:00Z');
const delivery = newDelivery(
  {
    delivery_id: '1'.repeat(24) as DeliveryId,
    webhook_id: '2'.repeat(24) as WebhookId,
    body_hash: 'f'.repeat(64),
    event: 'post.published',
    event_id: 'e1',
    created_at: new Date(now).toISOString(),
    attempt: 1,
    trigger: 'event',
  },
  rules,
  now,
);
const made = { apiVersion: 'v6.0', startedAt: now, now: now + 100, isProbe: false, wasLate: false };
const failed = (error: SendErrorClass) =>
  judge(delivery, { outcome: 'failed', error, message: '', durationMs: 0, timings: noTimings }, made, rules);

describe('an attempt', () => {
  it('to a name that resolved to a forbidden address is retried: the next DNS answer may differ', () => {
    const { after, observation } = failed('forbidden');
    expect(after).toMatchObject({ status: 'retrying', last_error: 'forbidden', waiting_for: { reason: 'schedule' } });
    expect(observation).toMatchObject({ outcome: 'failed' });
  });

  it('to a forbidden address in the URL is final, and no finding about the receiver', () => {
    const { after, observation } = failed('blocked');
    expect(after).toMatchObject({ status: 'blocked', last_error: 'blocked', next_attempt_at: null });
    expect(observation).toBeUndefined();
  });

  it.each<SendErrorClass>(['dns', 'connect', 'tls', 'timeout', 'reset', 'protocol'])(
    'that failed with %s is retried',
    (error) => {
      expect(failed(error).after).toMatchObject({ status: 'retrying', last_error: error });
    },
  );

  it('counts as hanging only if the request was sent', () => {
    expect(failed('timeout').observation).toMatchObject({ hung: true });
    expect(failed('connect').observation).toMatchObject({ hung: false });
  });
});
