/** Webhooks in the table: their caps, status, secrets and announcements, with concurrent requests and lost answers. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../shared/foundation/caller.ts';
import type { ApiKeyId, IntegrationId, StaffId, WebhookId } from '../../shared/foundation/ids.ts';
import type { Key } from '../../shared/table/table-key.ts';
import {
  allWebhooksCountKey,
  guardKey,
  pointerKey,
  subscriberKey,
  webhookCountKey,
  webhookKey,
} from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { failingWebhook } from '../support/notice.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
const settings = {
  stage: 'test',
  publication: { name: 'Test', url: 'http://localhost' },
  mail: { from: 'desk@example.com' },
  caps: { webhooks: 3, webhooksOfStage: 4 },
  ownEvents: ['shop.order.paid'],
};
Object.assign(process.env, { ...aws.environment, SETTINGS: settingsText(settings) });

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.parse('2026-11-26T10:20:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
let store: typeof import('../../shared/webhooks/store.ts');
let status: typeof import('../../shared/webhooks/status.ts');
let secrets: typeof import('../../shared/webhooks/secret.ts');
stopTime(now);
beforeEach(async () => {
  // Without webhook slots that this function has reserved before.
  vi.resetModules();
  store = await import('../../shared/webhooks/store.ts');
  status = await import('../../shared/webhooks/status.ts');
  secrets = await import('../../shared/webhooks/secret.ts');
});

const { failing_since: _since, ...base } = failingWebhook({ last_triggered_status: '200', last_triggered_error: null });
const webhook: Webhook = base;
const integration = webhook.integration_id;
const numbered = (number: number, changes: Partial<Webhook> = {}): Webhook => ({
  ...webhook,
  id: `${number}`.padStart(24, '0') as WebhookId,
  target_url: `https://hooks.example/${number}`,
  ...changes,
});
const staff: Caller = {
  kind: 'staff',
  keyId: 'c'.repeat(24) as ApiKeyId,
  staffId: 'd'.repeat(24) as StaffId,
  role: 'Owner',
  name: 'Olive',
  email: 'olive@example.com',
};

/** Creates a webhook; each further try uses the id of the next one, and at last of the last one. */
const create = async (first: Webhook, ...others: Webhook[]) => {
  let next = first;
  const result = await store.webhookStore.create(first.event, () => {
    const made = next;
    next = others.shift() ?? next;
    return made;
  });
  return result === next ? 'created' : result;
};

const integrationKey = (id: IntegrationId): Key => ({ pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' });
const itemsOf = (one: Webhook): Key[] => [
  webhookKey(one.id),
  guardKey(one),
  subscriberKey(one.event, one.id),
  pointerKey(one.integration_id, one.id),
];
const given = (...webhooks: Webhook[]) => {
  aws.put(integrationKey(integration), { id: integration });
  for (const one of webhooks) {
    for (const key of itemsOf(one)) aws.put(key, { webhook_id: one.id });
    aws.put(webhookKey(one.id), one);
  }
  return webhooks[0] ?? webhook;
};
const record = (one: Webhook = webhook) => aws.read(webhookKey(one.id));
/** The error after twenty lost races; it names the item for the log. */
const lostRaces = { status: 429, cause: { message: expect.stringContaining(webhook.id) } };
const isThere = (one: Webhook) => itemsOf(one).map((key) => aws.read(key) !== undefined);

describe('creating a webhook', () => {
  it("fails with 429 and the event's name after twenty lost races", async () => {
    given();
    // Others reach the cap each time and remove their webhooks again.
    const revision = () => `${aws.requests('TransactWriteCommand').length}`;
    aws.before('TransactWriteCommand', () => aws.put(webhookCountKey(integration), { count: 3, revision: revision() }));
    await expect(create(webhook)).rejects.toMatchObject({
      status: 429,
      cause: { message: expect.stringContaining(webhook.event) },
    });
  });

  it.each([
    ['does not exist', undefined],
    ['is being deleted', { deleting_since: iso(now) }],
  ])('fails if its integration %s', async (_, item) => {
    if (item !== undefined) aws.put(integrationKey(integration), item);
    expect(await create(webhook)).toBe('no integration');
    expect(isThere(webhook)).toEqual([false, false, false, false]);
  });

  it('succeeds even if the answer to its write is lost', async () => {
    given();
    await create(numbered(1));
    aws.fail('TransactWriteCommand', { after: true });
    expect(await create(webhook)).toBe('created');
    expect(record()).toMatchObject(webhook);
  });

  it('never replaces a webhook of another integration that has the same id', async () => {
    const other = given({
      ...webhook,
      target_url: 'https://hooks.example/other',
      integration_id: 'e'.repeat(24) as IntegrationId,
    });
    for (const key of [webhookCountKey(integration), allWebhooksCountKey]) aws.put(key, { count: 1, revision: 'r1' });
    expect(await create(webhook, numbered(1))).toBe('created');
    expect(record()).toEqual(other);
    expect(record(numbered(1))).toMatchObject(numbered(1));
  });

  it('fails if its answer is lost and the id belongs to another webhook', async () => {
    given({ ...webhook, target_url: 'https://hooks.example/other' });
    aws.fail('TransactWriteCommand');
    await expect(create(webhook)).rejects.toMatchObject({ status: 503 });
  });

  it('fails if there is no answer and nothing was written', async () => {
    given();
    aws.fail('TransactWriteCommand');
    await expect(create(webhook)).rejects.toMatchObject({ status: 503 });
  });
});

describe('creating a webhook with the event and target of one that its receiver has declined', () => {
  const declined = { status: 'disabled', disabled_for: 'receiver', declined_at: iso(now) } as const;
  const old = (changes: Partial<Webhook> = {}) => {
    for (const key of [webhookCountKey(integration), allWebhooksCountKey]) aws.put(key, { count: 1, revision: 'r1' });
    given({ ...webhook, ...declined, ...changes });
  };
  const same = numbered(1, { target_url: webhook.target_url });
  /** Lets something happen after the creation has found the declined webhook. */
  const meanwhile = (change: () => void) => {
    let transactions = 0;
    aws.before('TransactWriteCommand', () => {
      if (++transactions === 2) change();
    });
  };

  it('replaces it with everything that belongs to it', async () => {
    old({ options_revision: 'r1' });
    const { optionsKey } = await import('../../shared/webhooks/options-store.ts');
    aws.put(optionsKey(webhook.id), { webhook_id: webhook.id, revision: 'r1', options: '{}' });
    expect(await create(same)).toBe('created');
    for (const key of [webhookKey, optionsKey].map((keyOf) => keyOf(webhook.id))) expect(aws.read(key)).toBeUndefined();
    expect(aws.read(subscriberKey(webhook.event, webhook.id))).toBeUndefined();
    expect(aws.read(pointerKey(webhook.integration_id, webhook.id))).toBeUndefined();
    expect(aws.read(guardKey(webhook))).toMatchObject({ webhook_id: same.id });
  });

  it('replaces it even if the answer to the write is lost', async () => {
    old();
    meanwhile(() => aws.fail('TransactWriteCommand', { after: true }));
    expect(await create(same)).toBe('created');
    expect(record()).toBeUndefined();
  });

  it('is refused if the old one is enabled at the same time', async () => {
    old();
    meanwhile(() => aws.put(webhookKey(webhook.id), webhook));
    expect(await create(same)).toEqual({ duplicateOf: webhook.id, event: webhook.event });
    expect(record()).toEqual(webhook);
  });

  it('succeeds if the old one is deleted at the same time', async () => {
    old();
    meanwhile(() => {
      for (const key of [webhookKey(webhook.id), guardKey(webhook)]) aws.erase(key);
    });
    expect(await create(same)).toBe('created');
  });
});

describe('updating a webhook', () => {
  const changed = (changes: Partial<Webhook>, before = webhook): Webhook => ({
    ...before,
    updated_at: iso(now),
    ...changes,
  });
  const replace = (before: Webhook, changes: Partial<Webhook>) =>
    store.webhookStore.replace(before, changed(changes, before));

  it.each([
    ['were added', undefined, 'r1'],
    ['were changed', 'r1', 'r2'],
    ['were removed', 'r1', undefined],
  ])('fails as a lost race if its options %s since it was read', async (_, before, now) => {
    const read: Webhook = { ...webhook, ...(before && { options_revision: before }) };
    given(read);
    aws.change(webhookKey(webhook.id), { options_revision: now });
    expect(await replace(read, { name: 'Renamed' })).toBe('lost');
    expect(await replace(read, { target_url: 'https://new.bookshop.example/' })).toBe('lost');
    expect(await store.webhookStore.remove(read)).toBe('lost');
    expect(record()).toMatchObject({ name: webhook.name, target_url: webhook.target_url });
  });

  it('moves its subscriber and its guard to the new event', async () => {
    given(webhook);
    expect(await replace(webhook, { event: 'post.added' })).toBe('replaced');
    expect(aws.read(subscriberKey(webhook.event, webhook.id))).toBeUndefined();
    expect(aws.read(subscriberKey('post.added', webhook.id))).toMatchObject({ webhook_id: webhook.id });
    expect(aws.read(guardKey(webhook))).toBeUndefined();
  });

  it('moves its guard if the event differs, even if the URL differs only in case', async () => {
    given(webhook);
    const target_url = webhook.target_url.toUpperCase();
    expect(await replace(webhook, { target_url, event: 'post.added' })).toBe('replaced');
    expect(aws.read(guardKey({ event: 'post.added', target_url }))).toMatchObject({ webhook_id: webhook.id });
  });

  it.each([
    ['event', 'post.added'],
    ['target_url', 'https://other.bookshop.example/'],
    ['name', 'Other'],
    ['api_version', 'v5.0'],
  ])('fails as a lost race if its `%s` has changed since it was read', async (attribute, value) => {
    given(webhook);
    aws.change(webhookKey(webhook.id), { [attribute]: value });
    expect(await replace(webhook, { name: 'New' })).toBe('lost');
    expect(await replace(webhook, { target_url: 'https://new.bookshop.example/' })).toBe('lost');
    expect(record()).toMatchObject({ [attribute]: value });
  });

  it('fails as a lost race if it was deleted, or its guard belongs to another webhook', async () => {
    given();
    expect(await replace(webhook, { name: 'New' })).toBe('lost');
    expect(record()).toBeUndefined();
    given(webhook);
    aws.put(guardKey(webhook), { webhook_id: numbered(1).id });
    expect(await replace(webhook, { target_url: 'https://new.bookshop.example/' })).toBe('lost');
  });

  const health = { failures: 2 } as const;
  const unhealthy = { warned_at: iso(now), health, health_revision: 'one' } as const;
  const target_url = 'https://new.bookshop.example/';

  it('with a new target URL resets its health', async () => {
    const failing = given({ ...failingWebhook(), status: 'disabled', disabled_for: 'failing', ...unhealthy });
    aws.change(webhookKey(webhook.id), { due: 'DUE#1', due_at: iso(now + minute) });
    expect(await replace(failing, { status: 'available', target_url })).toBe('replaced');
    for (const attribute of ['failing_since', 'disabled_for', ...Object.keys(unhealthy)])
      expect(record()).not.toHaveProperty(attribute);
    expect(record()).toMatchObject({ status: 'available' });
  });

  it('with a new target URL does not enable a webhook that was disabled on request', async () => {
    const paused = given({ ...webhook, status: 'disabled', disabled_for: 'request', health });
    await replace(paused, { target_url });
    expect(record()).toMatchObject({ status: 'disabled', disabled_for: 'request', target_url });
    for (const attribute of ['due', 'health']) expect(record()).not.toHaveProperty(attribute);
  });

  it.each([
    ['another request has disabled it', { status: 'disabled', disabled_for: 'request' }],
    ['its health has changed', { health_revision: 'other' }],
  ])('fails as a lost race if %s since it was read', async (_, rival) => {
    given(webhook);
    aws.change(webhookKey(webhook.id), rival);
    expect(await replace(webhook, { target_url })).toBe('lost');
    expect(record()).toMatchObject({ target_url: webhook.target_url, ...rival });
  });

  it('succeeds even if the answer to its write is lost', async () => {
    given(webhook);
    aws.fail('TransactWriteCommand', { after: true });
    expect(await replace(webhook, { target_url: 'https://new.bookshop.example/' })).toBe('replaced');
  });

  it.each([
    ['event', 'post.added'],
    ['target_url', 'https://other.bookshop.example/'],
    ['updated_at', iso(now + 1)],
  ])('fails if the answer is lost and the stored webhook has another `%s`', async (attribute, value) => {
    given(webhook);
    aws.fail('TransactWriteCommand');
    const target_url = 'https://new.bookshop.example/';
    aws.before('GetCommand', () => aws.put(webhookKey(webhook.id), { ...changed({ target_url }), [attribute]: value }));
    await expect(replace(webhook, { target_url })).rejects.toMatchObject({ status: 503 });
  });

  it('fails if the answer is lost and the webhook is gone', async () => {
    given();
    aws.fail('TransactWriteCommand');
    await expect(replace(webhook, { target_url: 'https://new.example/' })).rejects.toMatchObject({ status: 503 });
  });
});

describe('deleting a webhook', () => {
  it.each([
    ['event', 'post.added'],
    ['target_url', 'https://other.bookshop.example/'],
  ])('fails as a lost race if its `%s` has changed', async (attribute, value) => {
    given(webhook);
    aws.change(webhookKey(webhook.id), { [attribute]: value });
    expect(await store.webhookStore.remove(webhook)).toBe('lost');
    expect(isThere(webhook)).toEqual([true, true, true, true]);
  });

  it('fails as a lost race if it is already deleted', async () => {
    expect(await store.webhookStore.remove(webhook)).toBe('lost');
  });

  it('succeeds if only the answer is lost, and fails if nothing was written', async () => {
    given(webhook);
    aws.fail('TransactWriteCommand');
    await expect(store.webhookStore.remove(webhook)).rejects.toMatchObject({ status: 503 });
    aws.fail('TransactWriteCommand', { after: true });
    expect(await store.webhookStore.remove(webhook)).toBe('removed');
  });
});

describe('deleting many webhooks', () => {
  const many = Array.from({ length: 26 }, (_, number) => numbered(number + 1));
  const ids = many.map(({ id }) => id);
  const remove = async (all: readonly WebhookId[]) =>
    (await import('../../shared/webhooks/remove-many.ts')).removeWebhooks(integration, all);

  it('deletes as many per transaction as fit, and also removes pointers to webhooks that are gone', async () => {
    given(...many);
    const gone = 'e'.repeat(24) as WebhookId;
    aws.put(pointerKey(integration, gone), { webhook_id: gone });
    await remove([...ids, gone]);
    for (const one of many) expect(isThere(one)).toEqual([false, false, false, false]);
    expect(aws.read(pointerKey(integration, gone))).toBeUndefined();
    expect(aws.requests('TransactWriteCommand').map(({ TransactItems }) => TransactItems.length)).toEqual([100, 4]);
    expect(aws.requests('DeleteCommand')).toHaveLength(1);
  });

  it('keeps a webhook that changes at the same time, and deletes the others', async () => {
    given(...many.slice(0, 3));
    const [edited] = many as [Webhook];
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(edited.id), { event: 'post.added' }), 1);
    await remove(ids.slice(0, 3));
    expect(isThere(edited)).toEqual([true, true, true, true]);
    for (const one of many.slice(1, 3)) expect(isThere(one)).toEqual([false, false, false, false]);
    // One transaction for all, then one for each: the changed webhook is not tried again.
    expect(aws.requests('TransactWriteCommand')).toHaveLength(4);
  });
});

const events = () => aws.sent().map(({ body }) => (body as { event?: string }).event);

describe('disabling a webhook', () => {
  it('announces nothing if another request disables it at the same time', async () => {
    given(webhook);
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(webhook.id), { status: 'disabled' }), 1);
    expect(await status.disableWebhook(webhook.id, staff)).toMatchObject({ status: 'disabled' });
    expect(events()).toEqual([]);
  });

  it.each(['disableWebhook', 'enableWebhook'] as const)(
    'fails with 429 after twenty lost races: %s',
    async (change) => {
      given(webhook);
      let other = 0;
      for (const name of ['TransactWriteCommand', 'UpdateCommand'] as const)
        aws.before(name, () => aws.change(webhookKey(webhook.id), { status: `other ${other++}` }));
      await expect(status[change](webhook.id, staff)).rejects.toMatchObject(lostRaces);
    },
  );

  it('returns 404 if it is deleted at the same time', async () => {
    given(webhook);
    aws.before('TransactWriteCommand', () => aws.erase(webhookKey(webhook.id)), 1);
    await expect(status.disableWebhook(webhook.id, staff)).rejects.toMatchObject({ status: 404 });
    expect(record()).toBeUndefined();
  });
});

describe('enabling a webhook', () => {
  it.each([
    ['that was disabled', { status: 'disabled' }],
    ['whose owners were warned', { warned_at: iso(now - minute), failing_since: iso(now - day) }],
  ] as const)('%s resets its health, and is announced', async (_, changes) => {
    given({ ...webhook, health: { failures: 2 }, health_revision: 'one', ...changes });
    expect(await status.enableWebhook(webhook.id, staff)).toMatchObject({ status: 'available' });
    expect(record()).toMatchObject({ status: 'available', updated_at: iso(now) });
    expect(events()).toEqual(['webhook.recovered']);
    for (const attribute of ['failing_since', 'warned_at', 'health', 'health_revision'])
      expect(record()).not.toHaveProperty(attribute);
  });

  it('announces nothing if the webhook is already available, and makes due at once what waits for it', async () => {
    given(failingWebhook());
    aws.change(webhookKey(webhook.id), { due: 'DUE#1', due_at: iso(now + 15 * minute) });
    await status.enableWebhook(webhook.id, staff);
    expect(events()).toEqual([]);
    expect(record()).not.toHaveProperty('failing_since');
    expect(record()).toMatchObject({ due: expect.any(String), due_at: iso(now) });
  });
});

describe('a running release of what waits for a webhook', () => {
  it.each([
    [
      'a new target URL',
      (before: Webhook) =>
        store.webhookStore.replace(before, { ...before, target_url: 'https://new.bookshop.example/' }),
    ],
    ['disabling it', () => status.disableWebhook(webhook.id, staff)],
    ['enabling it', () => status.enableWebhook(webhook.id, staff)],
  ])('is broken off by %s, so that the next success begins it again', async (_, change) => {
    const releasing = given({ ...webhook, releasing: iso(now - minute), due_at: iso(now - 1) });
    aws.change(webhookKey(webhook.id), { due: 'DUE#1' });
    await change(releasing);
    expect(record()).toMatchObject({ due: expect.any(String), due_at: expect.any(String) });
    expect(record()).not.toHaveProperty('releasing');
  });
});

describe('rotating a secret', () => {
  const newSecret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

  it('fails with 429 after twenty lost races', async () => {
    given({ ...webhook, secret: 'old' });
    let other = 0;
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(webhook.id), { secret: `other ${other++}` }));
    await expect(secrets.rotateSecret(webhook.id, staff)).rejects.toMatchObject(lostRaces);
  });

  it("returns the other request's secret if both rotate at the same time", async () => {
    given({ ...webhook, secret: 'old' });
    const rival = {
      secret: 'theirs',
      updated_at: iso(now - 1),
      previous_secrets: [{ secret: 'old', until: iso(now + day) }],
    };
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(webhook.id), rival), 1);
    expect(await secrets.rotateSecret(webhook.id, staff)).toEqual({
      secret: 'theirs',
      previous: rival.previous_secrets,
      updated_at: iso(now - 1),
    });
    expect(record()).toMatchObject(rival);
  });

  it("returns the other request's secret even if there was none before", async () => {
    given(webhook);
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(webhook.id), { secret: 'theirs' }), 1);
    expect(await secrets.rotateSecret(webhook.id, staff)).toMatchObject({ secret: 'theirs', previous: [] });
  });

  it('starts again if the secret was rotated twice at the same time', async () => {
    given({ ...webhook, secret: 'old' });
    const twice = { secret: 'theirs', previous_secrets: [{ secret: 'other', until: iso(now + day) }] };
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(webhook.id), twice), 1);
    const { secret, previous } = await secrets.rotateSecret(webhook.id, staff);
    expect(secret).toEqual(newSecret);
    expect(previous.map((one) => one.secret)).toEqual(['theirs', 'other']);
  });

  it('starts again if the secret was removed at the same time', async () => {
    given({ ...webhook, secret: 'old' });
    const removed = { secret: null, previous_secrets: [{ secret: 'old', until: iso(now + day) }] };
    aws.before('TransactWriteCommand', () => aws.change(webhookKey(webhook.id), removed), 1);
    expect(await secrets.rotateSecret(webhook.id, staff)).toMatchObject({
      secret: newSecret,
      previous: removed.previous_secrets,
    });
  });

  it('returns 404 if the webhook is deleted at the same time', async () => {
    given({ ...webhook, secret: 'old' });
    aws.before('TransactWriteCommand', () => aws.erase(webhookKey(webhook.id)), 1);
    await expect(secrets.rotateSecret(webhook.id, staff)).rejects.toMatchObject({ status: 404 });
    expect(record()).toBeUndefined();
  });
});
