/** Keys of integrations with a scope and an end: what they may do, how they are made, and that a refresh keeps both. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { contract } from '../../shared/contract.ts';
import type { Scope } from '../../shared/foundation/scopes.ts';
import { scopesOf } from '../../shared/http/authenticate.ts';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';
import { newUrl } from '../support/webhooks.ts';

const stack = await freshStack();
const keys = await stack.seed();
afterEach(() => vi.useRealTimers());

const day = 86_400_000;
let made = 0;
const make = (limits?: object) =>
  stack.call('integrations/create', {
    path: '/admin/integrations/',
    key: keys.owner,
    body: { integrations: [{ name: `Scoped ${made++}`, can_publish: true, ...(limits && { api_keys: [limits] }) }] },
  });
const keyOf = async (limits?: object) => {
  const { body } = await make(limits);
  const [{ id, api_keys }] = body.integrations;
  return { integration: id, ...api_keys[0] };
};
const refresh = (integration: string, id: string, body: object = { previous_valid_hours: 0 }) =>
  stack.call('integrations/refresh-key', {
    path: `/admin/integrations/${integration}/api_key/${id}/refresh/`,
    key: keys.owner,
    body: { api_keys: [body] },
  });

const publish = (key: string) =>
  stack.call('events/publish', {
    path: '/admin/events/',
    key,
    body: { events: [{ event: 'site.changed', payload: {} }] },
  });
const subscribe = (key: string) =>
  stack.call('webhooks/create', {
    path: '/admin/webhooks/',
    key,
    body: { webhooks: [{ event: 'site.changed', target_url: newUrl() }] },
  });
const roles = (key: string) => stack.call('roles/list', { path: '/admin/roles/', key });
const deliveries = (key: string) => stack.call('deliveries/list-all', { path: '/admin/deliveries/', key });
const invite = async (key: string) => {
  const [{ id: role_id }] = (await roles(keys.owner)).body.roles.filter(
    ({ name }: { name: string }) => name === 'Author',
  );
  const email = `scoped-${made++}@example.org`;
  return stack.call('invites/create', { path: '/admin/invites/', key, body: { invites: [{ email, role_id }] } });
};

describe('a key with scopes', () => {
  it.each<[Scope, number[]]>([
    ['publish', [202, 403, 403, 403, 403]],
    ['webhooks', [403, 201, 403, 403, 403]],
    ['invites', [403, 403, 201, 200, 403]],
    ['read', [403, 403, 403, 200, 200]],
  ])('may do what is in its scope, and nothing else: %s', async (scope, expected) => {
    const { secret, scopes } = await keyOf({ scopes: [scope] });
    expect(scopes).toEqual([scope]);
    const calls = [publish, subscribe, invite, roles, deliveries];
    const answers = await Promise.all(calls.map((call) => call(secret)));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    const refused = answers.find(({ status }) => status === 403) ?? expect.fail();
    expectRefusal(refused, { status: 403, type: 'NoPermissionError' });
    expect(refused.body.errors[0].message).toContain(`\`${scope}\``);
  });

  it('may do all that the integration may if it names none, and nothing that the integration may not', async () => {
    const { secret, scopes, valid_until } = await keyOf();
    expect([scopes, valid_until]).toEqual([null, null]);
    for (const call of [publish, subscribe, invite, roles, deliveries])
      expect((await call(secret)).status).toBeLessThan(300);
    const { body } = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [{ name: 'Reader', api_keys: [{ scopes: ['publish'] }] }] },
    });
    expectRefusal(await publish(body.integrations[0].api_keys[0].secret), { status: 403, type: 'NoPermissionError' });
  });

  it('is limited at every endpoint that integrations may call', () => {
    for (const line of contract)
      if (line.kind === 'endpoint' && line.callers.includes('integration'))
        expect(scopesOf(line).length, line.function).toBeGreaterThan(0);
  });
});

describe('a key with an end', () => {
  it('is valid until then, in every environment', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const valid_until = new Date(Date.now() + day).toISOString();
    const key = await keyOf({ valid_until });
    expect(key.valid_until).toBe(valid_until);
    expect((await roles(key.secret)).status).toBe(200);
    vi.setSystemTime(Date.now() + day);
    expectRefusal(await roles(key.secret), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'UNKNOWN_ADMIN_API_KEY',
    });
  });

  it('can be replaced, also with an overlap, which does not outlast the end', async () => {
    const valid_until = new Date(Date.now() + day).toISOString();
    const key = await keyOf({ valid_until, scopes: ['read'] });
    const { body } = await refresh(key.integration, key.id, { previous_valid_hours: 100 });
    const [next, previous] = body.integrations[0].api_keys;
    expect(next).toMatchObject({ scopes: ['read'], valid_until });
    expect(previous).toMatchObject({ id: key.id, valid_until });
    for (const { secret } of [next, key]) expect((await roles(secret)).status).toBe(200);
    expectRefusal(await refresh(key.integration, key.id), { status: 422, type: 'ValidationError', property: 'key_id' });
  });
});

describe('a refresh', () => {
  it('keeps scopes and end unless it sends others, and null removes them', async () => {
    const key = await keyOf({ scopes: ['publish', 'read'] });
    const first = (await refresh(key.integration, key.id)).body.integrations[0].api_keys[0];
    expect(first.scopes).toEqual(['publish', 'read']);
    const valid_until = new Date(Date.now() + day).toISOString();
    const second = (await refresh(key.integration, first.id, { scopes: ['read'], valid_until })).body;
    const [changed] = second.integrations[0].api_keys;
    expect(changed).toMatchObject({ scopes: ['read'], valid_until });
    expectRefusal(await publish(changed.secret), { status: 403, type: 'NoPermissionError' });
    const third = (await refresh(key.integration, changed.id, { scopes: null, valid_until: null })).body;
    expect(third.integrations[0].api_keys[0]).toMatchObject({ scopes: null, valid_until: null });
  });

  it('is recorded in the audit log with both', async () => {
    const key = await keyOf({ scopes: ['publish'] });
    await refresh(key.integration, key.id, { scopes: ['publish', 'read'] });
    const { body } = await stack.call('audit/list', {
      path: `/admin/audit/?target=${key.integration}`,
      key: keys.owner,
    });
    expect(body.audit[0].changes).toMatchObject({ scopes: { from: 'publish', to: 'publish, read' } });
    expect(body.audit[1].changes).toMatchObject({ scopes: { from: null, to: 'publish' } });
  });
});

it('scopes and ends are shown where keys are listed', async () => {
  const valid_until = new Date(Date.now() + day).toISOString();
  const { integration } = await keyOf({ scopes: ['webhooks'], valid_until });
  const { body } = await stack.call('integrations/read', {
    path: `/admin/integrations/${integration}/?include=api_keys`,
    key: keys.owner,
  });
  expect(body.integrations[0].api_keys).toMatchObject([{ secret: null, scopes: ['webhooks'], valid_until }]);
});

it.each<[string, object]>([
  ['api_keys.0.scopes.0', { scopes: ['write'] }],
  ['api_keys.0.scopes', { scopes: [] }],
  ['api_keys.0.valid_until', { valid_until: '2020-01-01' }],
  ['api_keys.0.valid_until', { valid_until: 'tomorrow' }],
])('a new key is refused with the property %s: %j', async (property, limits) => {
  expectRefusal(await make(limits), { status: 422, type: 'ValidationError', property });
});
