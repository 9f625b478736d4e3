/** The ids of webhooks: sorted by time, and with the group of the webhook. */
import { expect, it, vi } from 'vitest';
import { groupOf, isId, timeOfId, type WebhookGroup } from '../../shared/foundation/ids.ts';
import { newWebhookId } from '../../shared/foundation/new-id.ts';
import { pointerKey, webhookKey, webhookOfKey } from '../../shared/webhooks/table-keys.ts';
import { now } from '../support/deliver-in-memory.ts';
import { stopTime } from '../support/test-time.ts';

stopTime(now);

const group = '0102030405' as WebhookGroup;

it('webhook ids begin with the time, so sorting them sorts by time', () => {
  const first = newWebhookId(group);
  vi.setSystemTime(now + 1);
  const second = newWebhookId(group);
  expect([timeOfId(first), timeOfId(second)]).toEqual([now, now + 1]);
  expect(first < second).toBe(true);
  expect(isId(first)).toBe(true);
});

it('webhook ids contain their group, and differ in two more characters', () => {
  const ids = Array.from({ length: 10 }, () => newWebhookId(group));
  expect(new Set(ids.map(groupOf))).toEqual(new Set([group]));
  expect(new Set(ids).size).toBeGreaterThan(5);
});

it("a webhook id is found in the key of a webhook's record, but in no other key", () => {
  const id = newWebhookId(group);
  expect(webhookOfKey(webhookKey(id))).toBe(id);
  expect(webhookOfKey(pointerKey('a'.repeat(24) as never, id))).toBeUndefined();
  expect(webhookOfKey({ pk: `WEBHOOK#${id}`, sk: `DELIVERY#${id}` })).toBeUndefined();
});
