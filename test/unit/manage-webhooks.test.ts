/** The rules of webhooks, tested with a store in memory: who sees a duplicate, changes and lost races. */
import { describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../shared/foundation/caller.ts';
import type { ApiKeyId, IntegrationId, StaffId, WebhookId } from '../../shared/foundation/ids.ts';
import { createWebhook, deleteWebhook, updateWebhook } from '../../shared/webhooks/manage.ts';
import { noOptions } from '../../shared/webhooks/options-resource.ts';
import type { WebhookStore } from '../../shared/webhooks/store.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { settingsText } from '../support/settings-text.ts';

vi.stubEnv('SETTINGS', settingsText());

const ours = 'a'.repeat(24) as IntegrationId;
const theirs = 'b'.repeat(24) as IntegrationId;
const keyId = 'c'.repeat(24) as ApiKeyId;
const integration: Caller = { kind: 'integration', keyId, integrationId: ours };
const staff: Caller = {
  kind: 'staff',
  keyId,
  staffId: 'd'.repeat(24) as StaffId,
  role: 'Owner',
  name: 'Olive',
  email: 'olive@example.com',
};
const start = Date.parse('2026-01-01T00:00:00.000Z');

const input = {
  event: 'post.added',
  target_url: 'https://example.com/A',
  name: 'Name',
  secret: 'hunter2',
  api_version: 'v6.0',
  integration_id: ours,
};

/** A store in memory that decides like the table; `rival` runs before each write, like a concurrent client. */
const given = (webhooks: readonly Webhook[] = [], integrations: readonly IntegrationId[] = [ours, theirs]) => {
  const records = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  const guard = ({ event, target_url }: Webhook) => `${event} ${target_url.toLowerCase()}`;
  const taken = (webhook: Webhook) =>
    [...records.values()].find((other) => other.id !== webhook.id && guard(other) === guard(webhook))?.id;
  const same = (webhook: Webhook) => records.get(webhook.id) === webhook;
  let rival: (() => void) | undefined;
  let made = 0;
  const newWebhookId = () => (++made).toString(16).padStart(24, '0') as WebhookId;
  const store: WebhookStore = {
    read: async (id) => records.get(id),
    readOptions: async () => noOptions,
    create: async (_event, make) => {
      let webhook = make(newWebhookId());
      while (records.has(webhook.id)) webhook = make(newWebhookId());
      if (!integrations.includes(webhook.integration_id)) return 'no integration';
      const duplicateOf = taken(webhook);
      if (duplicateOf !== undefined) return { duplicateOf, event: webhook.event };
      records.set(webhook.id, webhook);
      return webhook;
    },
    replace: async (before, after) => {
      rival?.();
      if (!same(before)) return 'lost';
      const duplicateOf = taken(after);
      if (duplicateOf !== undefined) return { duplicateOf, event: after.event };
      records.set(after.id, after);
      return 'replaced';
    },
    remove: async (webhook) => {
      rival?.();
      return same(webhook) && records.delete(webhook.id) ? 'removed' : 'lost';
    },
  };
  let now = start;
  return {
    records,
    ports: { store, clock: () => now },
    pass: (ms: number) => {
      now += ms;
    },
    meanwhile: (act: () => void) => {
      rival = act;
    },
  };
};

const webhook = (fields: Partial<Webhook> = {}): Webhook => ({
  ...input,
  id: '1'.repeat(24) as WebhookId,
  status: 'available',
  last_triggered_at: null,
  last_triggered_status: null,
  last_triggered_error: null,
  created_at: new Date(start).toISOString(),
  updated_at: new Date(start).toISOString(),
  ...fields,
});
const { id } = webhook();

describe('creating a webhook', () => {
  it('is refused without an id if the existing webhook has been deleted in the meantime', async () => {
    const { ports } = given();
    for (const duplicateOf of [undefined, 'e'.repeat(24) as WebhookId]) {
      const store: WebhookStore = { ...ports.store, create: async () => ({ duplicateOf, event: input.event }) };
      await expect(createWebhook(input, staff, { ...ports, store })).rejects.toMatchObject({
        details: [{ rule: 'unique', limit: null }],
      });
    }
  });
});

describe('changing a webhook', () => {
  const target_url = 'https://example.com/new';

  it.each(['failing', 'receiver'] as const)(
    'to a new target URL enables a webhook that was disabled for the reason `%s`',
    async (disabled_for) => {
      const { ports } = given([webhook({ status: 'disabled', disabled_for })]);
      expect(await updateWebhook(id, { target_url }, integration, ports)).toMatchObject({ status: 'available' });
    },
  );

  it('to a new target URL does not enable a webhook that was disabled on request', async () => {
    const { ports } = given([webhook({ status: 'disabled', disabled_for: 'request' })]);
    expect(await updateWebhook(id, { target_url }, integration, ports)).toMatchObject({
      status: 'disabled',
      target_url,
    });
  });

  it('reads the webhook again after a lost race, and keeps the concurrent change', async () => {
    const { ports, records, meanwhile } = given([webhook()]);
    let rivals = 3;
    meanwhile(() => {
      if (rivals-- > 0) records.set(id, webhook({ api_version: `v${rivals}` }));
    });
    expect(await updateWebhook(id, { name: 'New' }, integration, ports)).toMatchObject({
      name: 'New',
      api_version: 'v0',
    });
  });

  it('returns 404 if the webhook is deleted during the change', async () => {
    const { ports, records, meanwhile } = given([webhook()]);
    meanwhile(() => records.delete(id));
    await expect(updateWebhook(id, { name: 'New' }, integration, ports)).rejects.toMatchObject({ status: 404 });
  });

  it('returns 403 if the webhook moves to another integration during the change', async () => {
    const { ports, records, meanwhile } = given([webhook()]);
    meanwhile(() => records.set(id, webhook({ integration_id: theirs })));
    await expect(updateWebhook(id, { name: 'New' }, integration, ports)).rejects.toMatchObject({ status: 403 });
  });

  it('returns 429 and changes nothing after twenty lost races', async () => {
    const { ports, records, meanwhile } = given([webhook()]);
    let rivals = 0;
    meanwhile(() => records.set(id, webhook({ api_version: `v${++rivals}` })));
    await expect(updateWebhook(id, { name: 'New' }, integration, ports)).rejects.toMatchObject({
      status: 429,
      cause: expect.objectContaining({ message: expect.stringContaining(`the webhook ${id}`) }),
    });
    expect(rivals).toBe(20);
    expect(records.get(id)?.name).toBe('Name');
  });
});

describe('deleting a webhook', () => {
  it('reads the webhook again after a lost race', async () => {
    const { ports, records, meanwhile } = given([webhook()]);
    let rivals = 3;
    meanwhile(() => {
      if (rivals-- > 0) records.set(id, webhook({ target_url: `https://example.com/${rivals}` }));
    });
    await deleteWebhook(id, integration, ports.store);
    expect(records.size).toBe(0);
  });

  it('returns 429 after twenty lost races', async () => {
    const { ports, records, meanwhile } = given([webhook()]);
    meanwhile(() => records.set(id, webhook()));
    await expect(deleteWebhook(id, integration, ports.store)).rejects.toMatchObject({
      status: 429,
      cause: expect.objectContaining({ message: expect.stringContaining(`the webhook ${id}`) }),
    });
  });
});
