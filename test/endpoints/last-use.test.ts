/** Last uses of keys, sessions and staff: to the hour, at most one write an hour per instance, and no wait for it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
afterEach(() => vi.useRealTimers());

const hour = 3_600_000;
/** Lets time pass for the functions, not for the parts; returns the beginning of the new hour. */
const pass = (ms: number): string => {
  const now = Date.now() + ms;
  vi.useFakeTimers({ toFake: ['Date'], now });
  return new Date(Math.floor(now / hour) * hour).toISOString();
};
const roles = (key: string) => stack.call('roles/list', { path: '/admin/roles/', key });
const keyOf = async (id: string) => {
  const path = `/admin/integrations/${id}/?include=api_keys`;
  return (await stack.call('integrations/read', { path, key: keys.owner })).body.integrations[0].api_keys[0];
};
const addIntegration = async () => {
  const body = { integrations: [{ name: 'Shop' }] };
  const answer = await stack.call('integrations/create', { path: '/admin/integrations/', key: keys.owner, body });
  const [{ id, api_keys }] = answer.body.integrations;
  return { id, key: api_keys[0].secret };
};
const writes = () => stack.counts().functions['roles/list']?.calls['dynamodb:PutItem'] ?? 0;
const lastSeen = async (role: string) => {
  const { users } = (await stack.call('users/list', { path: '/admin/users/', key: keys.owner })).body;
  return users.find(({ name }: { name: string }) => name === `Olive ${role}`).last_seen;
};

describe('a key', () => {
  it('shows the hour of its last use, and null before its first use', async () => {
    const { id, key } = await addIntegration();
    expect((await keyOf(id)).last_seen_at).toBeNull();
    const first = pass(hour);
    await roles(key);
    expect((await keyOf(id)).last_seen_at).toBe(first);
    const second = pass(2 * hour);
    await roles(key);
    expect((await keyOf(id)).last_seen_at).toBe(second);
  });

  it('does not count as used if the signature is wrong', async () => {
    const { id, key } = await addIntegration();
    expectRefusal(await roles(`${key.slice(0, 25)}${'0'.repeat(64)}`), {
      status: 401,
      type: 'UnauthorizedError',
      code: 'INVALID_JWT',
    });
    expect((await keyOf(id)).last_seen_at).toBeNull();
  });

  it('costs each Lambda instance one write an hour', async () => {
    const { key } = await addIntegration();
    pass(hour);
    const before = writes();
    for (let sent = 0; sent < 5; sent++) await roles(key);
    expect(writes() - before).toBe(1);
    pass(hour);
    await roles(key);
    expect(writes() - before).toBe(2);
  });
});

describe('a staff member', () => {
  it('shows the hour in which a key of the member was last used', async () => {
    expect(await lastSeen('Contributor')).toBeNull();
    const at = pass(hour);
    await roles(keys.staff.Contributor ?? '');
    expect(await lastSeen('Contributor')).toBe(at);
  });
});

it('a request succeeds even if the last use cannot be written', async () => {
  const { id, key } = await addIntegration();
  stack.faults.set({ faults: [{ fault: 'error', function: 'roles/list', action: 'PutItem' }] });
  expect((await roles(key)).status).toBe(200);
  stack.faults.set({ faults: [] });
  expect((await keyOf(id)).last_seen_at).toBeNull();
});
