/** The record of a delivery, its message in the queue, and how long it is stored. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  type CohortMessage,
  type DeliveryMessage,
  deliveriesOf,
  deliveryId,
  deliveryMessage,
  expiresAt,
  isUnfinished,
  messageOf,
  newDelivery,
  sentAgain,
} from '../../shared/deliveries/delivery.ts';
import { deliveryStates } from '../../shared/deliveries/resource.ts';
import type { CohortId, DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

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
  trigger: 'event',
};
const rules = { keepDays: 30, retryAfterSeconds: [0, 5] };
const isValid = (input: unknown): boolean => v.is(deliveryMessage, input);

const together = { ...message, cohort: 'c'.repeat(24), webhook_ids: ['a'.repeat(24), 'b'.repeat(24)] };

describe('a message', () => {
  it('is valid with its ids, event, time, attempt and trigger, with and without a turn', () => {
    expect(isValid(message)).toBe(true);
    expect(isValid({ ...message, attempt: 10, turn: now, first: true })).toBe(true);
    for (const trigger of ['redelivery', 'replay', 'ping']) expect(isValid({ ...message, trigger })).toBe(true);
    expect(isValid({ ...message, cohort: 'c' })).toBe(true);
    expect(isValid(together)).toBe(true);
  });

  it.each(['delivery_id', 'webhook_id', 'body_hash', 'event', 'event_id', 'created_at', 'attempt', 'trigger'])(
    'without `%s` is invalid',
    (field) => {
      expect(isValid({ ...message, [field]: undefined })).toBe(false);
      expect(isValid({ ...message, [field]: {} })).toBe(false);
    },
  );

  it.each([
    ['a text', 'text'],
    ['null', null],
    ['a turn that is a text', { ...message, turn: '1' }],
    ['attempt 0', { ...message, attempt: 0 }],
    ['half an attempt', { ...message, attempt: 1.5 }],
    ['an unknown trigger', { ...message, trigger: 'none' }],
    ['a payload that is no text', { ...message, payload: {} }],
    ['a cohort that is no text', { ...message, cohort: 1 }],
    ['for several webhooks without their cohort', { ...together, cohort: undefined }],
    ['for several webhooks of which one has no id', { ...together, webhook_ids: ['a', 1] }],
  ])('that is %s is invalid', (_, input) => {
    expect(isValid(input)).toBe(false);
  });

  it('is sent again without its turn, its payload and its mark as the first', () => {
    expect(sentAgain({ ...message, turn: now, first: true, payload: '{}' })).toStrictEqual(message);
  });
});

describe('a new delivery', () => {
  const delivery = newDelivery(message, rules, now);

  it('is pending, without attempts', () => {
    expect(delivery).toEqual({
      id: message.delivery_id,
      webhook_id: message.webhook_id,
      event: 'post.added',
      event_id: 'e1',
      body_hash: 'h1',
      status: 'pending',
      trigger: 'event',
      attempts: 0,
      created_at: message.created_at,
      last_attempt_at: null,
      next_attempt_at: null,
      last_status: null,
      last_error: null,
      waiting_for: null,
      log: [],
      expires_at: now / 1000 + 30 * day,
    });
  });

  it('has a message for its next attempt', () => {
    expect(messageOf(delivery)).toStrictEqual(message);
    expect(messageOf({ ...delivery, attempts: 3 })).toStrictEqual({ ...message, attempt: 4 });
  });

  it('of a cohort is not recorded yet, and its messages name the cohort', () => {
    const ofCohort = { ...message, cohort: 'c'.repeat(24) as CohortId };
    expect(newDelivery(ofCohort, rules, now)).toEqual({ ...delivery, cohort: ofCohort.cohort, unrecorded: true });
    expect(delivery.unrecorded).toBeUndefined();
    expect(messageOf(newDelivery(ofCohort, rules, now))).toStrictEqual(ofCohort);
  });

  it('is unfinished while an attempt may follow', () => {
    expect(deliveryStates.filter((status) => isUnfinished({ status }))).toEqual(['pending', 'retrying']);
  });
});

describe('the expiry', () => {
  it('is after the days of the log, in whole seconds', () => {
    expect(expiresAt(now + 999, rules)).toBe(now / 1000 + 30 * day);
  });

  it('is at least a day after the last retry, which receivers can postpone', () => {
    expect(expiresAt(now, { keepDays: 1, retryAfterSeconds: [0, 3 * day] })).toBeGreaterThanOrEqual(
      now / 1000 + 4 * day,
    );
  });
});

describe('the id', () => {
  it('starts with the time, and differs by event, webhook and request', () => {
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

  it('of an event is the same in every release, because a repeated message must meet its delivery', () => {
    expect(deliveryId(now, 'h1', message.webhook_id)).toBe('01a1fd8c6900660991f883b5');
  });
});

describe('the message of several webhooks of a cohort', () => {
  const webhook_ids = ['a', 'b', 'c'].map((letter) => letter.repeat(24) as WebhookId);
  const { webhook_id: _webhook, delivery_id: _delivery, attempt: _attempt, trigger: _trigger, ...shared } = message;
  const together: CohortMessage = { ...shared, cohort: 'e'.repeat(24) as CohortId, webhook_ids };

  it('stands for the first attempt of each, with the id that the delivery would have alone', () => {
    expect(deliveriesOf(together)).toEqual(
      webhook_ids.map((webhook_id) => ({
        ...message,
        cohort: together.cohort,
        webhook_id,
        delivery_id: deliveryId(Date.parse(message.created_at), message.body_hash, webhook_id),
      })),
    );
    expect(deliveriesOf(message)).toEqual([message]);
  });

  it('has the payload for all of them', () => {
    expect(isValid({ ...together, payload: '{}' })).toBe(true);
    expect(deliveriesOf({ ...together, payload: '{}' }).map(({ payload }) => payload)).toEqual(['{}', '{}', '{}']);
  });

  it('counts its event with the first of them', () => {
    expect(deliveriesOf({ ...together, first: true }).map(({ first }) => first)).toEqual([true, undefined, undefined]);
  });

  it('has a cohort and the ids of webhooks, beside the event', () => {
    expect(isValid(together)).toBe(true);
    expect(isValid({ ...together, cohort: undefined })).toBe(false);
    expect(isValid({ ...together, webhook_ids: [1] })).toBe(false);
    expect(isValid({ ...together, event_id: 5 })).toBe(false);
    expect(isValid({ ...message, cohort: 5 })).toBe(false);
  });
});
