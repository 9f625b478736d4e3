/** When a webhook was last triggered: the newest attempt of an event's delivery, from its record or its log. */
import { expect, it } from 'vitest';
import type { Delivery } from '../../shared/deliveries/delivery.ts';
import { merge } from '../../shared/deliveries/log/last-triggered.ts';
import { failingWebhook } from '../support/notice.ts';

const webhook = failingWebhook({
  last_triggered_at: '2026-11-21T09:00:00.000Z',
  last_triggered_status: '503',
  last_triggered_error: 'status',
});
const delivery = (last_attempt_at: string | null, changes: Partial<Delivery> = {}) =>
  ({ trigger: 'event', last_attempt_at, last_status: '200', last_error: null, ...changes }) as Delivery;
const triggered = (at: string | null) => ({
  last_triggered_at: at,
  last_triggered_status: '200',
  last_triggered_error: null,
});

it('the last trigger is the newest attempt, even if that retried an older delivery', () => {
  const attempts = ['2026-11-21T09:01:00.000Z', '2026-11-21T09:03:00.000Z', null, '2026-11-21T09:02:00.000Z'];
  expect(
    merge(
      webhook,
      attempts.map((at) => delivery(at)),
    ),
  ).toEqual({
    ...webhook,
    ...triggered('2026-11-21T09:03:00.000Z'),
  });
});

it('the last trigger comes from the record if no attempt is newer', () => {
  expect(merge(webhook, [])).toEqual(webhook);
  expect(merge(webhook, [delivery('2026-11-21T09:00:00.000Z'), delivery(null)])).toEqual(webhook);
});

it('the last trigger comes from the log if the record has none', () => {
  const untriggered = { ...webhook, last_triggered_at: null };
  expect(merge(untriggered, [delivery('2026-11-21T08:00:00.000Z')])).toMatchObject(
    triggered('2026-11-21T08:00:00.000Z'),
  );
  expect(merge(untriggered, [delivery(null)])).toEqual(untriggered);
});

it.each(['redelivery', 'replay', 'ping'] as const)('a %s does not count as a trigger', (trigger) => {
  expect(merge(webhook, [delivery('2026-11-21T10:00:00.000Z', { trigger })])).toEqual(webhook);
});
