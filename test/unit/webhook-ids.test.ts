/** The ids of webhooks: sorted by time, with a part of their cohort, which makes their records neighbours in the table. */
import { expect, it, vi } from 'vitest';
import { type CohortId, isId, timeOfId } from '../../shared/foundation/ids.ts';
import { newWebhookId } from '../../shared/foundation/new-id.ts';
import { pointerKey, webhookKey, webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import { now } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

stopTime(now);

const cohort = '0123456789ab01020304ffff' as CohortId;
const other = '0123456789ab05060708ffff' as CohortId;

it('begin with the time, so that they are sorted by it', () => {
  const first = newWebhookId(cohort);
  vi.setSystemTime(now + 1);
  const second = newWebhookId(cohort);
  expect([timeOfId(first), timeOfId(second)]).toEqual([now, now + 1]);
  expect(first < second).toBe(true);
  expect(isId(first)).toBe(true);
});

it('have eight characters of their cohort and four of their own', () => {
  const ids = Array.from({ length: 10 }, () => newWebhookId(cohort));
  expect(new Set(ids.map((id) => id.slice(12, 20)))).toEqual(new Set(['01020304']));
  expect(new Set(ids).size).toBeGreaterThan(5);
});

it('put the records of a cohort into one partition, and those of others into others', () => {
  const [one, another, apart] = [newWebhookId(cohort), newWebhookId(cohort), newWebhookId(other)];
  expect(webhookKey(another).pk).toBe(webhookKey(one).pk);
  expect(webhookKey(apart).pk).not.toBe(webhookKey(one).pk);
});

it('are found in the keys of records, and in no others', () => {
  const id = newWebhookId(cohort);
  expect(webhookOfKey(webhookKey(id))).toBe(id);
  expect(webhookOfKey(pointerKey('a'.repeat(24) as never, id))).toBeUndefined();
  expect(webhookOfKey({ pk: `WEBHOOK#${id}`, sk: `DELIVERY#${id}` })).toBeUndefined();
});
