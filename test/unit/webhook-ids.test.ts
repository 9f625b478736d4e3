/** The keys of webhooks. */
import { expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { newId } from '../../shared/foundation/new-id.ts';
import { pointerKey, webhookKey, webhookOfKey } from '../../shared/webhooks/table-keys.ts';

it("a webhook id is found in the key of a webhook's record, but in no other key", () => {
  const id = newId<WebhookId>();
  expect(webhookOfKey(webhookKey(id))).toBe(id);
  expect(webhookOfKey(pointerKey('a'.repeat(24) as never, id))).toBeUndefined();
  expect(webhookOfKey({ pk: `WEBHOOK#${id}`, sk: `DELIVERY#${id}` })).toBeUndefined();
});
