/** What an environment remembers about webhooks that hang, and which webhooks are suspect therefore. */
import { beforeEach, describe, expect, it } from 'vitest';
import { isSuspect, rememberAnswer, rememberLate } from '../../shared/deliveries/attempt/hanging.ts';
import { day, minute } from '../../shared/foundation/clock.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { failingWebhook } from '../support/notice.ts';

const now = Date.parse('2026-11-21T10:00:00Z');
let integrations = 0;
let integration = '';
beforeEach(() => {
  integrations++;
  integration = `${integrations}`.padStart(24, 'a');
});
const webhook = (number: number, changes: Partial<Webhook> = {}): Webhook => ({
  ...failingWebhook({ integration_id: integration as Webhook['integration_id'] }),
  id: `${number}`.padStart(24, '0') as Webhook['id'],
  ...changes,
});
const rememberMany = (count: number, at = now) => {
  for (let number = 0; number < count; number++) rememberLate(webhook(number), at);
};

describe('a new webhook that has not answered yet', () => {
  it('is suspect if three others of its integration were late', () => {
    rememberMany(2);
    expect(isSuspect(webhook(99), now)).toBe(false);
    rememberMany(3);
    expect(isSuspect(webhook(99), now)).toBe(true);
  });

  it('is not suspect if a single other webhook was late many times', () => {
    for (let time = 0; time < 20; time++) rememberLate(webhook(1), now + time);
    expect(isSuspect(webhook(99), now)).toBe(false);
  });

  it('is suspect for ten minutes after the first of the last three late webhooks', () => {
    rememberMany(2);
    rememberLate(webhook(10), now + 5 * minute);
    expect(isSuspect(webhook(99), now + 10 * minute - 1)).toBe(true);
    expect(isSuspect(webhook(99), now + 10 * minute)).toBe(false);
    for (let number = 20; number < 23; number++) rememberLate(webhook(number), now + 10 * minute);
    expect(isSuspect(webhook(99), now + 20 * minute - 1)).toBe(true);
  });

  it('is not suspect because of webhooks of another integration', () => {
    rememberMany(3);
    expect(isSuspect(webhook(99, { integration_id: 'b'.repeat(24) as Webhook['integration_id'] }), now)).toBe(false);
  });

  it('is no longer suspect once it has answered in time', () => {
    rememberMany(3);
    rememberAnswer(webhook(98));
    expect(isSuspect(webhook(98), now)).toBe(false);
    expect(isSuspect(webhook(99), now)).toBe(true);
  });

  it('is not suspect if it answered before the others hung', () => {
    rememberAnswer(webhook(97));
    rememberMany(3);
    expect(isSuspect(webhook(97), now)).toBe(false);
  });
});

describe('a webhook with a health record', () => {
  it('is not suspect if it was never slow', () => {
    rememberMany(3);
    expect(isSuspect(webhook(99, { health: { failures: 1 } }), now)).toBe(false);
  });

  it('is suspect if it was slow within a day, until it answers in time', () => {
    const wasSlow = webhook(95, { health: { slowings: 1, slow_until: now - minute } });
    expect(isSuspect(wasSlow, now)).toBe(true);
    rememberAnswer(wasSlow);
    expect(isSuspect(wasSlow, now)).toBe(false);
    rememberLate(wasSlow, now);
    expect(isSuspect(wasSlow, now)).toBe(true);
    expect(isSuspect(wasSlow, now + day)).toBe(false);
  });

  it('is suspect beside three late ones if it was slow within a day, even if it has answered since', () => {
    rememberMany(3);
    rememberAnswer(webhook(96));
    const suspect = (slow_until: number) => isSuspect(webhook(96, { health: { slowings: 1, slow_until } }), now);
    expect(suspect(now - day + 1)).toBe(true);
    expect(suspect(now - day)).toBe(false);
  });
});
