/** The three endpoints of webhooks: create, update, delete (docs/compatibility.md, "Webhooks"). */
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey } from '../../shared/webhooks/table-keys.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack, type SeededKeys } from '../support/parts.ts';
import { newUrl, webhookCalls, webhookFields } from '../support/webhooks.ts';

const stack = await freshStack();
const { create, update, remove, existing } = webhookCalls(stack);
let keys: SeededKeys;
beforeAll(async () => {
  keys = await stack.seed();
});

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const stored = async (id: string) => {
  const Key = marshall(webhookKey(id as WebhookId));
  const { Item } = await stack.dynamodb.send(new GetItemCommand({ TableName: stack.tableName, Key }));
  return Item && unmarshall(Item);
};

/** Values that a part between the client and the table might normalise. */
const oddNames = [
  ' leading and trailing ',
  'tab\tnewline\nnull\u0000byte',
  'e\u0301 is not é',
  '🎺 \u{10FFFF} \uFEFF \u200D',
  'DROP TABLE webhooks; --',
  '<script>alert(1)</script> & "quotes" \\ /',
  '__proto__',
  '0',
];

describe('POST /admin/webhooks/', () => {
  it("returns 201 with the webhook's 13 fields, without meta and Location", async () => {
    const target_url = newUrl();
    const answer = await create({ event: 'post.published', target_url }, keys.integration);
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['webhooks']);
    expect(answer.body.webhooks).toHaveLength(1);
    const [webhook] = answer.body.webhooks;
    expect(Object.keys(webhook)).toEqual(webhookFields);
    expect(webhook).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      event: 'post.published',
      target_url,
      name: null,
      secret: null,
      api_version: 'v6.0',
      integration_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      status: 'available',
      last_triggered_at: null,
      last_triggered_status: null,
      last_triggered_error: null,
      created_at: expect.stringMatching(time),
      updated_at: webhook.created_at,
    });
    expect(answer.headers.location).toBeUndefined();
  });

  it('returns the values as sent, byte for byte', async () => {
    const sent = {
      event: 'member.edited',
      target_url: `HTTPS://Example.COM:443/${newUrl().slice(-16)}/%7Euser/./a/../b?q=a+b&Q=%c3%a9#Frag`,
      name: 'Our shop',
      secret: 's3cr€t 🎺',
      api_version: 'v5.101',
    };
    const answer = await create(sent, keys.integration);
    expect(answer.body.webhooks[0]).toMatchObject(sent);
    expect(await stored(answer.body.webhooks[0].id)).toMatchObject(sent);
  });

  it.each(oddNames)('stores the name %j unchanged', async (name) => {
    const { id } = await existing(keys.integration, { name });
    const answer = await update(id, { api_version: 'v6.0' }, keys.integration);
    expect(answer.body.webhooks[0].name).toBe(name);
  });

  it('stores an empty name or secret as null', async () => {
    const answer = await create(
      { event: 'site.changed', target_url: newUrl(), name: '', secret: '' },
      keys.integration,
    );
    expect(answer.body.webhooks[0]).toMatchObject({ name: null, secret: null });
  });

  it('accepts null for name and secret', async () => {
    const answer = await create(
      { event: 'site.changed', target_url: newUrl(), name: null, secret: null },
      keys.integration,
    );
    expect(answer.status).toBe(201);
  });

  it('ignores fields that clients cannot set: ids, states, times and unknown ones', async () => {
    const answer = await create(
      {
        event: 'site.changed',
        target_url: newUrl(),
        id: 'ffffffffffffffffffffffff',
        status: 'disabled',
        last_triggered_at: '2000-01-01T00:00:00.000Z',
        last_triggered_status: '500',
        last_triggered_error: 'none',
        created_at: '2000-01-01T00:00:00.000Z',
        updated_at: 7,
        color: 'red',
      },
      keys.integration,
    );
    expect(answer.status).toBe(201);
    const [webhook] = answer.body.webhooks;
    expect(webhook).toMatchObject({ status: 'available', last_triggered_at: null, last_triggered_status: null });
    expect(webhook.id).not.toBe('ffffffffffffffffffffffff');
    expect(webhook.created_at).not.toContain('2000');
    expect(Object.keys(webhook)).toEqual(webhookFields);
  });

  it('shows the secret only in its own response', async () => {
    const target_url = newUrl();
    const created = await create({ event: 'site.changed', target_url, secret: 'hunter2' }, keys.integration);
    expect(created.body.webhooks[0].secret).toBe('hunter2');
    const updated = await update(created.body.webhooks[0].id, { name: 'Changed' }, keys.integration);
    expect(updated.body.webhooks[0].secret).toBeNull();
    const twice = await create({ event: 'site.changed', target_url, secret: 'hunter2' }, keys.integration);
    expect(twice.text).not.toContain('hunter2');
  });
});

describe('PUT /admin/webhooks/{id}/', () => {
  it('changes the sent fields and keeps the others', async () => {
    const before = await existing(keys.integration, { name: 'Before', api_version: 'v5.0' });
    const answer = await update(before.id, { event: 'post.added' }, keys.integration);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['webhooks']);
    expect(Object.keys(answer.body.webhooks[0])).toEqual(webhookFields);
    expect(answer.body.webhooks[0]).toEqual({
      ...before,
      event: 'post.added',
      updated_at: expect.stringMatching(time),
    });
  });

  it.each([
    ['event', { event: 'page.published.edited' }],
    ['target_url', { target_url: 'https://example.com/elsewhere' }],
    ['name', { name: 'Another' }],
    ['name, removed', { name: null }],
    ['api_version', { api_version: 'canary' }],
    ['all four', { event: 'tag.added', target_url: 'https://example.com/all', name: 'All', api_version: 'v4' }],
  ])('changes the field: %s', async (_, change) => {
    const before = await existing(keys.integration, { name: 'Before' });
    const answer = await update(before.id, change, keys.integration);
    expect(answer.body.webhooks[0]).toEqual({ ...before, ...change, updated_at: expect.stringMatching(time) });
    const { id, updated_at } = answer.body.webhooks[0];
    expect(await stored(id)).toMatchObject({ ...before, ...change, updated_at });
  });

  it('sets updated_at', async () => {
    const { id, created_at } = await existing(keys.integration);
    const from = new Date().toISOString();
    const answer = await update(id, { name: 'New' }, keys.integration);
    const [webhook] = answer.body.webhooks;
    expect(webhook.updated_at >= from && webhook.updated_at <= new Date().toISOString()).toBe(true);
    expect(webhook.created_at).toBe(created_at);
  });

  it('returns 200 for an update that changes nothing', async () => {
    const before = await existing(keys.integration, { name: 'Same' });
    const { event, target_url } = before;
    const answer = await update(before.id, { event, target_url, name: 'Same' }, keys.integration);
    expect(answer.status).toBe(200);
    expect(answer.body.webhooks[0]).toEqual({ ...before, updated_at: expect.stringMatching(time) });
  });

  it('accepts an item that has only the id of the path, or null as id', async () => {
    const before = await existing(keys.integration);
    expect((await update(before.id, { id: before.id }, keys.integration)).status).toBe(200);
    expect((await update(before.id, { id: null }, keys.integration)).status).toBe(200);
  });

  it('ignores integration_id, states and times, whatever their types', async () => {
    const before = await existing(keys.integration, { secret: 'hunter2' });
    const answer = await update(
      before.id,
      {
        integration_id: ['not', 'yours'],
        status: 'disabled',
        last_triggered_at: 0,
        created_at: 'yesterday',
        updated_at: false,
        unknown: { deep: [] },
      },
      keys.integration,
    );
    expect(answer.status).toBe(200);
    expect(answer.body.webhooks[0]).toEqual({ ...before, secret: null, updated_at: expect.stringMatching(time) });
    expect(await stored(before.id)).toMatchObject({ secret: 'hunter2', integration_id: before.integration_id });
  });

  it.each<[string, string | null, unknown]>([
    ['another secret', 'hunter2', 'hunter3'],
    ['a first secret', null, 'hunter2'],
    ['an empty string, which would remove the secret', 'hunter2', ''],
    ['a prefix of the secret', 'hunter2', 'hunter'],
    ['a number', 'hunter2', 7],
    ['an object', 'hunter2', { value: 'hunter2' }],
  ])('refuses %s as secret, and names the endpoint that rotates it', async (_, secret, sent) => {
    const before = await existing(keys.integration, { secret });
    const answer = await update(before.id, { secret: sent, name: 'Changed' }, keys.integration);
    const error = expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'secret' });
    expect(error.details).toMatchObject([{ index: 0, field: 'secret' }]);
    expect(answer.text).not.toContain('hunter');
    expect(await stored(before.id)).toMatchObject({ secret, name: null });
    if (typeof sent === 'string') expect(error.help).toContain(`POST /admin/webhooks/${before.id}/secret/`);
  });

  it.each<[string, string | null, string | null]>([
    ['null', 'hunter2', null],
    ['null without a secret', null, null],
    ['an empty string without a secret', null, ''],
    ['the stored one', 'hunter2', 'hunter2'],
    ['the stored one, of more than ASCII', 's3cr€t 🎺', 's3cr€t 🎺'],
  ])('accepts %s as secret, which changes nothing, and does not show the secret', async (_, secret, sent) => {
    const before = await existing(keys.integration, { secret });
    const answer = await update(before.id, { secret: sent, name: 'Changed' }, keys.integration);
    expect(answer.status).toBe(200);
    expect(answer.body.webhooks[0]).toMatchObject({ secret: null, name: 'Changed' });
    expect(await stored(before.id)).toMatchObject({ secret, name: 'Changed' });
  });

  it("checks the secret after the webhook's owner and before duplicates", async () => {
    const [taken, own] = [await existing(keys.integration), await existing(keys.integration, { secret: 'hunter2' })];
    const foreign = await existing(keys.otherIntegration, { secret: 'hunter2' });
    const change = { event: taken.event, target_url: taken.target_url, secret: 'hunter3' };
    expectRefusal(await update(foreign.id, change, keys.integration), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await update(own.id, change, keys.integration), {
      status: 422,
      type: 'ValidationError',
      property: 'secret',
    });
  });

  it('enables a webhook that was disabled for failing if the target URL is new', async () => {
    const { id } = await existing(keys.integration);
    await stack.dynamodb.send(
      new UpdateItemCommand({
        TableName: stack.tableName,
        Key: marshall(webhookKey(id as WebhookId)),
        UpdateExpression: 'SET #status = :disabled, failing_since = :since',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: marshall({ ':disabled': 'disabled', ':since': '2026-01-01T00:00:00.000Z' }),
      }),
    );
    const renamed = await update(id, { name: 'Back', status: 'available' }, keys.integration);
    expect(renamed.body.webhooks[0]).toMatchObject({ name: 'Back', status: 'disabled' });
    const moved = await update(id, { target_url: newUrl() }, keys.integration);
    expect(moved.body.webhooks[0].status).toBe('available');
    expect(await stored(id)).not.toHaveProperty('failing_since');
  });
});

describe('DELETE /admin/webhooks/{id}/', () => {
  it('returns 204 without a body, and deletes the webhook and its subscription', async () => {
    const { id, event, target_url } = await existing(keys.integration);
    const answer = await remove(id, keys.integration);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers['content-type']).toBeUndefined();
    expect(await stored(id)).toBeUndefined();
    expect((await create({ event, target_url }, keys.integration)).status).toBe(201);
  });

  it('returns 404 the second time, and so does an update', async () => {
    const { id } = await existing(keys.integration);
    await remove(id, keys.integration);
    expectRefusal(await remove(id, keys.integration), { status: 404, type: 'NotFoundError' });
    expectRefusal(await update(id, { name: 'Ghost' }, keys.integration), { status: 404, type: 'NotFoundError' });
  });

  it.each([
    ['as the official client sends it', (id: string) => ({ id })],
    ['in the envelope of a resource', (id: string) => ({ webhooks: [{ id }] })],
    ['empty', () => ({})],
    ['of another webhook', () => ({ webhooks: [{ id: 'ffffffffffffffffffffffff' }] })],
  ])('accepts a JSON body %s', async (_, body) => {
    const { id } = await existing(keys.integration);
    const path = `/admin/webhooks/${id}/`;
    const answer = await stack.call('webhooks/delete', { path, body: body(id), key: keys.integration });
    expect(answer.status).toBe(204);
  });
});

describe('the integration of a webhook', () => {
  const target = () => ({ event: 'site.changed', target_url: newUrl() });

  it.each([
    ['nothing', () => ({})],
    ['the id of its own key, as some clients do', () => ({ integration_id: keys.integration.slice(0, 24) })],
    ['another id', () => ({ integration_id: 'ffffffffffffffffffffffff' })],
    ['not an id', () => ({ integration_id: 7 })],
    ['null', () => ({ integration_id: null })],
  ])('is the integration that creates the webhook, even if the request names %s', async (_, sent) => {
    const { integration_id } = await existing(keys.integration);
    const answer = await create({ ...target(), ...sent() }, keys.integration);
    expect(answer.status).toBe(201);
    expect(answer.body.webhooks[0].integration_id).toBe(integration_id);
  });

  it.each(['Owner', 'Administrator'])(
    'is the one that the request names if staff with the role %s create the webhook',
    async (role) => {
      const { integration_id } = await existing(keys.otherIntegration);
      const answer = await create({ ...target(), integration_id }, keys.staff[role] ?? '');
      expect(answer.status).toBe(201);
      expect(answer.body.webhooks[0].integration_id).toBe(integration_id);
    },
  );

  it.each(['Owner', 'Administrator'])(
    'does not matter to staff with the role %s, who can change and delete any webhook',
    async (role) => {
      const { id } = await existing(keys.integration);
      const key = keys.staff[role] ?? '';
      expect((await update(id, { name: 'By staff' }, key)).status).toBe(200);
      expect((await remove(id, key)).status).toBe(204);
    },
  );

  it.each(['Super Editor', 'Editor', 'Author', 'Contributor'])(
    'does not matter to staff with the role %s, who can create, change and delete no webhook',
    async (role) => {
      const { id, integration_id } = await existing(keys.integration);
      const key = keys.staff[role] ?? '';
      for (const answer of [
        await create({ ...target(), integration_id }, key),
        await update(id, { name: 'Mine' }, key),
        await remove(id, key),
      ])
        expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
      expect(await stored(id)).toMatchObject({ name: null });
    },
  );

  it('is the only integration that can change or delete the webhook', async () => {
    const { id } = await existing(keys.integration, { name: 'Ours' });
    for (const answer of [
      await update(id, { name: 'Theirs' }, keys.otherIntegration),
      await remove(id, keys.otherIntegration),
    ])
      expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
    expect(await stored(id)).toMatchObject({ name: 'Ours' });
  });
});
