/** The ids of webhooks: sorted by time, with their group. */
import { expect, it, vi } from 'vitest';
import { groupOf, isId, timeOfId, type WebhookGroup } from '../../shared/foundation/ids.ts';
import { newWebhookId } from '../../shared/foundation/new-id.ts';
import { pointerKey, webhookKey, webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import { now } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

stopTime(now);

const group = '0102030405' as WebhookGroup;

it('begin with the time, so that they are sorted by it', () => {
  const first = newWebhookId(group);
  vi.setSystemTime(now + 1);
  const second = newWebhookId(group);
  expect([timeOfId(first), timeOfId(second)]).toEqual([now, now + 1]);
  expect(first < second).toBe(true);
  expect(isId(first)).toBe(true);
});

it('name their group, and have two characters of their own', () => {
  const ids = Array.from({ length: 10 }, () => newWebhookId(group));
  expect(new Set(ids.map(groupOf))).toEqual(new Set([group]));
  expect(new Set(ids).size).toBeGreaterThan(5);
});

it('are found in the keys of records, and in no others', () => {
  const id = newWebhookId(group);
  expect(webhookOfKey(webhookKey(id))).toBe(id);
  expect(webhookOfKey(pointerKey('a'.repeat(24) as never, id))).toBeUndefined();
  expect(webhookOfKey({ pk: `WEBHOOK#${id}`, sk: `DELIVERY#${id}` })).toBeUndefined();
});
