/** The messages of the delivery queues: what they have, and for which deliveries they stand. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type DeliveryMessage, deliveryId } from '../../shared/deliveries/delivery.ts';
import { fairnessGroupOf, queueMessage, unpack } from '../../shared/deliveries/records/messages.ts';
import type { DeliveryId, WebhookId } from '../../shared/foundation/ids.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
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
const { webhook_id: _webhook, delivery_id: _delivery, attempt: _attempt, trigger: _trigger, ...shared } = message;
const webhook_ids = ['a', 'b', 'c'].map((letter) => letter.repeat(24) as WebhookId);
const several = { ...shared, webhook_ids };
const isValid = (input: unknown): boolean => v.is(queueMessage, input);

describe('a message', () => {
  it('is valid with its ids, event, time, attempt and trigger, with and without a turn', () => {
    expect(isValid(message)).toBe(true);
    expect(isValid({ ...message, attempt: 10, turn: now, first: true })).toBe(true);
    for (const trigger of ['redelivery', 'replay', 'ping']) expect(isValid({ ...message, trigger })).toBe(true);
    expect(isValid(several)).toBe(true);
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
    ['for several webhooks of which one has no id', { ...shared, webhook_ids: ['a'.repeat(24), 1] }],
  ])('that is %s is invalid', (_, input) => {
    expect(isValid(input)).toBe(false);
  });
});

describe('the message of several webhooks of a cohort', () => {
  it('stands for the first attempt of each, with the id that the delivery would have alone', () => {
    expect(unpack(several)).toEqual(
      webhook_ids.map((webhook_id) => ({
        ...message,
        webhook_id,
        delivery_id: deliveryId(Date.parse(message.created_at), message.body_hash, webhook_id),
      })),
    );
    expect(unpack(message)).toEqual([message]);
  });

  it('has the payload for all of them', () => {
    expect(isValid({ ...several, payload: '{}' })).toBe(true);
    expect(unpack({ ...several, payload: '{}' }).map(({ payload }) => payload)).toEqual(['{}', '{}', '{}']);
  });

  it('counts its event with the first of them', () => {
    expect(unpack({ ...several, first: true }).map(({ first }) => first)).toEqual([true, undefined, undefined]);
  });

  it('has the ids of the webhooks and the event', () => {
    expect(isValid(several)).toBe(true);
    expect(isValid({ ...several, webhook_ids: [1] })).toBe(false);
    expect(isValid({ ...several, event_id: 5 })).toBe(false);
  });
});

describe('the group of a message in a fair queue', () => {
  it('is its webhook, or what the ids of several webhooks have in common', () => {
    expect(fairnessGroupOf(message)).toBe(message.webhook_id);
    expect(fairnessGroupOf(several)).toBe('a'.repeat(10));
  });
});
