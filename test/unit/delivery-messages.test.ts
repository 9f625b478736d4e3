/** The messages of the delivery queues: what they contain, and which deliveries they represent. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type DeliveryMessage, deliveryId } from '../../shared/deliveries/delivery.ts';
import { fairnessGroupOf, queueMessage, unpack } from '../../shared/deliveries/records/messages.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

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
const {
  webhook_id: _webhook,
  delivery_id: _delivery,
  attempt: _attempt,
  waits: _waits,
  trigger: _trigger,
  ...shared
} = message;
const webhook_ids = ['a', 'b', 'c'].map((letter) => letter.repeat(24) as WebhookId);
const several = { ...shared, webhook_ids };
const isValid = (input: unknown): boolean => v.is(queueMessage, input);

describe('a message of the delivery queues', () => {
  it('is valid with its ids, event, time, step and trigger', () => {
    expect(isValid(message)).toBe(true);
    expect(isValid({ ...message, attempt: 10, waits: 3 })).toBe(true);
    for (const trigger of ['redelivery', 'replay', 'ping']) expect(isValid({ ...message, trigger })).toBe(true);
    expect(isValid(several)).toBe(true);
  });

  it.each(['delivery_id', 'webhook_id', 'body_hash', 'event', 'event_id', 'created_at', 'attempt', 'trigger'])(
    'is invalid without `%s`',
    (field) => {
      expect(isValid({ ...message, [field]: undefined })).toBe(false);
      expect(isValid({ ...message, [field]: {} })).toBe(false);
    },
  );

  it.each([
    ['a text', 'text'],
    ['null', null],
    ['a number of waits that is a text', { ...message, waits: '1' }],
    ['attempt 0', { ...message, attempt: 0 }],
    ['half an attempt', { ...message, attempt: 1.5 }],
    ['an unknown trigger', { ...message, trigger: 'none' }],
    ['for several webhooks of which one has no id', { ...shared, webhook_ids: ['a'.repeat(24), 1] }],
  ])('is invalid if it is %s', (_, input) => {
    expect(isValid(input)).toBe(false);
  });
});

describe('a message for several webhooks', () => {
  it('becomes a first attempt for each webhook, with the same delivery id as a separate message', () => {
    expect(unpack(several)).toEqual(
      webhook_ids.map((webhook_id) => ({
        ...message,
        webhook_id,
        delivery_id: deliveryId(Date.parse(message.created_at), message.body_hash, webhook_id),
      })),
    );
    expect(unpack(message)).toEqual([message]);
  });

  it('must have valid webhook ids and a valid event id', () => {
    expect(isValid(several)).toBe(true);
    expect(isValid({ ...several, webhook_ids: [1] })).toBe(false);
    expect(isValid({ ...several, event_id: 5 })).toBe(false);
  });
});

describe('the fairness group of a message', () => {
  it('is its webhook, or the first of several', () => {
    expect(fairnessGroupOf(message)).toBe(message.webhook_id);
    expect(fairnessGroupOf(several)).toBe('a'.repeat(24));
  });
});
