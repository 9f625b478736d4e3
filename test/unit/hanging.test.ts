/** What a function remembers about integrations whose webhooks hang: their new webhooks count as suspect. */
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
  it('is suspect if ten others of its integration were late', () => {
    rememberMany(9);
    expect(isSuspect(webhook(99), now)).toBe(false);
    rememberMany(10);
    expect(isSuspect(webhook(99), now)).toBe(true);
  });

  it('is not suspect if a single other webhook was late many times', () => {
    for (let time = 0; time < 20; time++) rememberLate(webhook(1), now + time);
    expect(isSuspect(webhook(99), now)).toBe(false);
  });

  it('is suspect for ten minutes after the first of the last ten late webhooks', () => {
    rememberMany(9);
    rememberLate(webhook(10), now + 5 * minute);
    expect(isSuspect(webhook(99), now + 10 * minute - 1)).toBe(true);
    expect(isSuspect(webhook(99), now + 10 * minute)).toBe(false);
    for (let number = 20; number < 30; number++) rememberLate(webhook(number), now + 10 * minute);
    expect(isSuspect(webhook(99), now + 20 * minute - 1)).toBe(true);
  });

  it('is not suspect because of webhooks of another integration', () => {
    rememberMany(10);
    expect(isSuspect(webhook(99, { integration_id: 'b'.repeat(24) as Webhook['integration_id'] }), now)).toBe(false);
  });

  it('is no longer suspect once it has answered in time', () => {
    rememberMany(10);
    rememberAnswer(webhook(98));
    expect(isSuspect(webhook(98), now)).toBe(false);
    expect(isSuspect(webhook(99), now)).toBe(true);
  });

  it('is not suspect if it answered before the others hung', () => {
    rememberAnswer(webhook(97));
    rememberMany(10);
    expect(isSuspect(webhook(97), now)).toBe(false);
  });
});

describe('a webhook with a health record', () => {
  it('is not suspect if it was never slow', () => {
    rememberMany(10);
    expect(isSuspect(webhook(99, { health: { usual_ms: 300 } }), now)).toBe(false);
  });

  it('is suspect if it was slow within a day, even if it has answered since', () => {
    rememberMany(10);
    rememberAnswer(webhook(96));
    const health = { slowings: 1, slowed_at: now };
    expect(isSuspect(webhook(96, { health }), now)).toBe(true);
    expect(isSuspect(webhook(96, { health }), now + 10 * minute)).toBe(false);
  });

  it('is not suspect if it was last slow a day ago', () => {
    rememberMany(10);
    const suspect = (slowed_at: number) => isSuspect(webhook(95, { health: { slowings: 1, slowed_at } }), now);
    expect(suspect(now - day + 1)).toBe(true);
    expect(suspect(now - day)).toBe(false);
  });
});
