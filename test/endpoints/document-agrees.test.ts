/** The OpenAPI document and the code agree on inputs at the limit of what is allowed. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import committed from '../../docs/openapi.json' with { type: 'json' };
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({ ownEvents: ['shop.order.paid'] });
const keys = await stack.seed();
const get = (line: 'invites/list', path: string) => stack.call(line, { path, key: keys.owner });

describe('a request that the document forbids is refused', () => {
  it.each([
    ['include', '/admin/invites/?include=history&include=history'],
    ['limit', '/admin/invites/?limit=1&limit=2'],
  ])('with %s twice', async (property, path) => {
    expectRefusal(await get('invites/list', path), { status: 422, type: 'ValidationError', property });
  });

  it('with an empty cursor', async () => {
    const { paths } = committed as unknown as {
      readonly paths: Record<string, { readonly get: { readonly parameters: readonly { readonly name?: string }[] } }>;
    };
    const { parameters = [] } = paths['/admin/invites/']?.get ?? {};
    expect(parameters.find(({ name }) => name === 'cursor')).toMatchObject({ schema: { minLength: 1 } });
    const refusal = { status: 422, type: 'ValidationError', property: 'cursor' };
    expectRefusal(await get('invites/list', '/admin/invites/?cursor='), refusal);
  });

  it('with an array as payload', async () => {
    const body = { events: [{ event: 'site.changed', payload: [null] }] };
    const answer = await stack.call('events/publish', { path: '/admin/events/', key: keys.owner, body });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'payload' });
  });
});

it.each([
  ['', true],
  ['ops@bookshop.example', true],
  ['first.last+news@mail.bookshop.example', true],
  [`${'a'.repeat(64)}@bookshop.example`, true],
  [`${'a'.repeat(65)}@bookshop.example`, false],
  ['.first@bookshop.example', false],
  ['a..b@bookshop.example', false],
  ['ops@bookshop', false],
  ['ops@127.0.0.1', false],
  [`ops@${'a'.repeat(64)}.example`, false],
  ['0'.repeat(190), false],
])('the document and the code agree on whether a contact address is valid: %j', async (contact_email, isValid) => {
  const { schemas } = committed.components as unknown as {
    readonly schemas: Record<string, { readonly properties: Record<string, { readonly pattern?: string }> }>;
  };
  const { pattern = '' } = schemas.NewIntegration?.properties.contact_email ?? {};
  expect(new RegExp(pattern, 'u').test(contact_email)).toBe(isValid);
  const body = { integrations: [{ name: 'Shop', contact_email }] };
  const path = '/admin/integrations/';
  expect((await stack.call('integrations/create', { path, key: keys.owner, body })).status).toBe(isValid ? 201 : 422);
});

it.each([
  ['post.published', true],
  ['webhook.failing,post.*,tag.added', true],
  ['*', true],
  ['shop.order.paid', true],
  ['post.*, tag.added', false],
  ['POST.*', false],
])('the document and the code agree on whether a webhook can have the events %j', async (event, isValid) => {
  const { schemas } = committed.components as unknown as {
    readonly schemas: Record<string, { readonly properties: { readonly event: object } }>;
  };
  for (const name of ['NewWebhook', 'WebhookChanges'])
    expect(new Ajv2020({ strict: false }).validate(schemas[name]?.properties.event ?? {}, event), name).toBe(isValid);
  const body = { webhooks: [{ event, target_url: 'http://127.0.0.1:9/events' }] };
  const answer = await stack.call('webhooks/create', { path: '/admin/webhooks/', key: keys.integration, body });
  expect(answer.status).toBe(isValid ? 201 : 422);
});

it('the document says the same about an option in requests and in responses, unless a request can do more', () => {
  const { schemas } = committed.components as unknown as {
    readonly schemas: Record<string, { readonly properties: Record<string, { readonly description: string }> }>;
  };
  const texts = (name: string) =>
    ['description', 'filter', 'debounce', 'throttle'].map((option) => schemas[name]?.properties[option]?.description);
  expect(texts('OptionsChanges')).toEqual(texts('Options'));
});

it("the document's example of headers is valid", async () => {
  const { schemas } = committed.components as unknown as {
    readonly schemas: Record<
      string,
      { readonly properties: Record<string, { readonly examples?: readonly object[] }> }
    >;
  };
  const [headers] = schemas.OptionsChanges?.properties.headers?.examples ?? [];
  const previews = [{ event: 'post.published', target_url: 'https://hooks.example.org/', options: { headers } }];
  const path = '/admin/webhooks/preview/';
  expect((await stack.call('webhooks/preview', { path, key: keys.owner, body: { previews } })).status).toBe(200);
});

it('an optional body may be an object without its root key, as the document says, but nothing else', async () => {
  const { paths } = committed as unknown as {
    readonly paths: Record<string, { readonly post: { readonly requestBody: object } }>;
  };
  const { requestBody } = paths['/admin/webhooks/{id}/ping/']?.post ?? {};
  expect(JSON.stringify(requestBody)).not.toContain('"required":["pings"]');
  const webhooks = [{ event: 'post.published', target_url: 'http://127.0.0.1:9/' }];
  const made = await stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key: keys.integration,
    body: { webhooks },
  });
  const path = `/admin/webhooks/${made.body.webhooks[0].id}/ping/`;
  const statusOf = async (body: object | string) =>
    (await stack.call('webhooks/ping', { path, key: keys.owner, body })).status;
  expect([await statusOf({}), await statusOf('[]'), await statusOf('5')]).toEqual([202, 400, 400]);
});

it('the document lists the events that a webhook can be sent and that a publisher can publish', () => {
  const { schemas } = committed.components as unknown as {
    readonly schemas: Record<string, { readonly properties: Record<string, { readonly enum?: readonly string[] }> }>;
  };
  for (const name of ['NewPing', 'NewPreview'])
    expect(schemas[name]?.properties.event?.enum).toEqual([...ghostEvents, ...mastheadEvents]);
  expect(schemas.NewEvent?.properties.event?.enum).toEqual(ghostEvents);
});
