/** DynamoDB deletes an item soon after its time to live: what still counts by then must not be deleted. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deliveryTools } from '../support/deliveries.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { signingIn } from '../support/sessions.ts';
import { deleteExpired } from '../support/time-to-live.ts';

const stack = await freshStack({ deliveries: { replaysPerCallerAndHour: 1 } });
const keys = await stack.seed();
const { roles } = await inviting(stack, keys);
const { webhook } = deliveryTools(stack, keys);
const { request, tokensFor, exchange, signIn } = signingIn(stack);

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterAll(() => vi.useRealTimers());

/** Lets time pass, after which DynamoDB deletes what has expired. */
const pass = async (minutes: number) => {
  vi.setSystemTime(Date.now() + minutes * 60_000);
  await deleteExpired(stack);
};

it('a limit counts for its hour', async () => {
  const { id } = await webhook('http://127.0.0.1:9/hook');
  const replay = async () => {
    const body = { replays: [{ since: '2026-01-01', until: '2026-01-02' }] };
    const path = `/admin/webhooks/${id}/replays/`;
    return (await stack.call('replays/create', { path, key: keys.integration, body })).status;
  };
  expect(await replay()).toBe(202);
  for (const { body } of await stack.take('replays')) await stack.work('replays', [body]);
  await pass(59);
  expect(await replay()).toBe(429);
  await pass(2);
  expect(await replay()).toBe(202);
});

it('a session lasts for its twelve hours', async () => {
  const { cookie } = await signIn('author@masthead.example');
  const read = async () => (await stack.call('users/read', { path: '/admin/users/me/', cookie })).status;
  await pass(12 * 60 - 1);
  expect(await read()).toBe(200);
  await pass(1);
  expect(await read()).toBe(401);
});

it('a sign-in link works for its 15 minutes', async () => {
  const link = async () => {
    await request('editor@masthead.example');
    return (await tokensFor('editor@masthead.example')).at(-1) ?? '';
  };
  const [early, late] = [await link(), await link()];
  await pass(14);
  expect((await exchange(early)).status).toBe(201);
  await pass(1);
  expect((await exchange(late)).status).toBe(404);
});

it('an Idempotency-Key is known for its day', async () => {
  const body = { invites: [{ email: newAddress(), role_id: roles.Author }] };
  const invite = async () => {
    const headers = { 'Idempotency-Key': 'request-1' };
    const answer = await stack.call('invites/create', { path: '/admin/invites/', key: keys.owner, headers, body });
    return answer.body.invites[0].id;
  };
  const first = await invite();
  await pass(24 * 60 - 1);
  expect(await invite()).toBe(first);
  await pass(2);
  expect(await invite()).not.toBe(first);
});

it('what a Ghost site has sent is known for the 28 days by which its silence is judged', async () => {
  const { integration_id: id } = await webhook('http://127.0.0.1:9/relay');
  const secrets = { path: `/admin/integrations/${id}/inbound_secret/`, key: keys.owner };
  const { secret } = (await stack.call('integrations/replace-inbound-secret', secrets)).body.secrets[0];
  const body = '{"tag":{"current":{"name":"news"},"previous":{}}}';
  const at = Date.now();
  const hash = createHmac('sha256', secret).update(`${body}${at}`).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hash}, t=${at}` };
  const sent = await stack.call('inbound/ghost', { path: `/inbound/ghost/${id}/tag.added/`, body, headers });
  expect(sent.status).toBe(202);
  await pass(28 * 24 * 60);
  const { body: listed } = await stack.call('relays/list', { path: '/admin/relays/', key: keys.owner });
  expect(listed.relays).toMatchObject([{ last_event_at: new Date(at).toISOString() }]);
});

it('a replaced key works for the hours that it has left', async () => {
  const item = { name: 'Shop' };
  const integrations = { path: '/admin/integrations/', key: keys.owner, body: { integrations: [item] } };
  const [{ id, api_keys }] = (await stack.call('integrations/create', integrations)).body.integrations;
  const path = `/admin/integrations/${id}/api_key/${api_keys[0].id}/refresh/`;
  const body = { api_keys: [{ previous_valid_hours: 2 }] };
  expect((await stack.call('integrations/refresh-key', { path, key: keys.owner, body })).status).toBe(200);
  const read = async () => (await stack.call('roles/list', { path: '/admin/roles/', key: api_keys[0].secret })).status;
  await pass(2 * 60 - 1);
  expect(await read()).toBe(200);
  await pass(1);
  expect(await read()).toBe(401);
});
