/** Staff after their invitation: who sees and changes whom, what a removal ends, and which events are published. */
import * as v from 'valibot';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { userResource } from '../../shared/accounts/resource.ts';
import { roleId } from '../../shared/accounts/role.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { documentedBodyOf } from '../support/documented-delivery.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';
import { allowStaffEvents } from '../support/staff-events.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, inviteOne, open, read: readInvite, statusOf } = await inviting(stack, keys);
const { items, webhook } = deliveryTools(stack, keys);
const staff = (role: string) => keys.staff[role] ?? '';

const receiver = await receiveWebhooks();
afterAll(() => receiver.close());
afterEach(() => vi.useRealTimers());

const list = (query = '', key = keys.owner) => stack.call('users/list', { path: `/admin/users/${query}`, key });
const read = (id: string, key = keys.owner, query = '') =>
  stack.call('users/read', { path: `/admin/users/${id}/${query}`, key });
const update = (id: string, user: object, key = keys.owner, query = '') =>
  stack.call('users/update', { path: `/admin/users/${id}/${query}`, key, body: { users: [user] } });
const remove = (id: string, key = keys.owner) => stack.call('users/delete', { path: `/admin/users/${id}/`, key });
const renew = (id: string, key = keys.owner) =>
  stack.call('users/renew-token', { path: `/admin/users/${id}/token/`, key });

const idOf = async (key: string): Promise<string> => (await read('me', key)).body.users[0].id;
const owner = await idOf(keys.owner);
const administrator = await idOf(staff('Administrator'));
const unknown = 'f'.repeat(24);

/** A new staff member who has joined by an invitation, with a key. */
const join = async (role = 'Author') => {
  const email = newAddress();
  const { token } = await inviteAndMail(email);
  await accept(token);
  const all = (await list('?limit=all')).body.users;
  const { id } = all.find((user: { email: string }) => user.email === email);
  if (role !== 'Author') await update(id, { roles: [roleId(role)] });
  const { apiKey } = (await renew(id)).body;
  return { id, email, key: `${apiKey.id}:${apiKey.secret}` };
};
/** The bodies of the deliveries that an event has had at its own webhook. */
const published = async (event: string) => {
  for (const queue of ['events', 'deliveries', 'slow-deliveries'] as const) await stack.drain(queue);
  return receiver.deliveries.filter(({ path }) => path === `/${event}`).map(({ body }) => documentedBodyOf(body));
};
await allowStaffEvents(stack, keys);
await webhook(`${receiver.origin}/staff.removed`, { event: 'staff.removed' });
await webhook(`${receiver.origin}/staff.role.changed`, { event: 'staff.role.changed' });

describe('GET /admin/users/', () => {
  it('lists the staff page by page, with roles if asked', async () => {
    const { users, meta } = (await list('?include=roles')).body;
    expect(meta.pagination).toEqual({ page: 1, limit: 100, pages: 1, total: users.length, next: null, prev: null });
    for (const user of users) v.parse(userResource, user);
    expect(
      users.map(({ roles }: { roles: { name: string }[] }) => roles.map(({ name }) => name).join()).sort(),
    ).toEqual(Object.keys(keys.staff).sort());
    const first = (await list('?limit=4')).body;
    expect(first.users[0]).not.toHaveProperty('roles');
    const second = (await list(`?limit=4&page=${first.meta.pagination.next}`)).body;
    expect([...first.users, ...second.users].map(({ id }) => id)).toEqual(users.map(({ id }: { id: string }) => id));
    expect(second.meta.pagination).toEqual({ page: 2, limit: 4, pages: 2, total: users.length, next: null, prev: 1 });
    expect((await list('?limit=4&page=3')).body).toMatchObject({ users: [], meta: { pagination: { next: null } } });
  });

  it.each(['0', '-1', 'two', '1.5', ''])('refuses the page %j', async (page) => {
    expectRefusal(await list(`?page=${page}`), { status: 422, type: 'ValidationError', property: 'page' });
  });

  it('sorts by fields and directions, as clients of Ghost write them', async () => {
    const sortedBy = async (order: string) =>
      (await list(`?order=${encodeURIComponent(order)}`)).body.users.map(({ name }: { name: string }) => name);
    const names = (await list()).body.users.map(({ name }: { name: string }) => name).toSorted();
    expect(await sortedBy('name asc')).toEqual(names);
    expect(await sortedBy('name')).toEqual(names);
    expect(await sortedBy('status DESC, name DESC')).toEqual(names.toReversed());
    expect((await sortedBy('last_seen desc'))[0]).toBe('Olive Owner');
  });

  it.each(['password', 'name up', 'name;drop', 'name asc,', ',', '', 'name '.repeat(50)])(
    'refuses the order %j',
    async (order) => {
      const refused = await list(`?order=${encodeURIComponent(order)}`);
      expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'order' });
    },
  );

  it('never shows keys', async () => {
    const { text } = await list('?include=roles,api_keys');
    for (const key of Object.values(keys.staff)) for (const part of key.split(':')) expect(text).not.toContain(part);
  });

  it('is open to the Owner and Administrators only', async () => {
    for (const [role, key] of [...Object.entries(keys.staff), ['integration', keys.integration] as const]) {
      const isAllowed = role === 'Owner' || role === 'Administrator';
      expect((await list('', key)).status, role).toBe(isAllowed ? 200 : 403);
    }
  });
});

describe('GET /admin/users/{id}/', () => {
  it('returns callers themselves, as `me` and by id, whatever their role', async () => {
    for (const [role, key] of Object.entries(keys.staff)) {
      const answer = await read('me', key, '?include=roles');
      expect(answer.body.users).toMatchObject([
        {
          name: `Olive ${role}`,
          status: 'active',
          last_seen: expect.stringMatching(/:00:00\.000Z$/),
          roles: [{ name: role }],
        },
      ]);
      expect((await read(answer.body.users[0].id, key, '?include=roles')).body).toEqual(answer.body);
    }
  });

  it('returns other members to the Owner and Administrators only', async () => {
    expect((await read(owner, staff('Administrator'))).body.users[0]).toMatchObject({ id: owner, slug: 'olive-owner' });
    expectRefusal(await read(owner, staff('Editor')), { status: 403, type: 'NoPermissionError' });
  });

  it('returns 404 for an unknown id, 422 for a malformed id, and 403 to integrations', async () => {
    expectRefusal(await read(unknown), { status: 404, type: 'NotFoundError' });
    expectRefusal(await read('you'), { status: 422, type: 'ValidationError', property: 'id' });
    expectRefusal(await read('me', keys.integration), { status: 403, type: 'NoPermissionError' });
  });
});

describe('GET /admin/users/email/{address}/ and /admin/users/slug/{slug}/', () => {
  const byEmail = (address: string, key = keys.owner) =>
    stack.call('users/read-by-email', { path: `/admin/users/email/${address}/?include=roles`, key });
  const bySlug = (slug: string, key = keys.owner) =>
    stack.call('users/read-by-slug', { path: `/admin/users/slug/${slug}/?include=roles`, key });

  it('return one member as the list does', async () => {
    const { users } = (await read(owner, keys.owner, '?include=roles')).body;
    for (const address of [users[0].email, users[0].email.toUpperCase(), encodeURIComponent(users[0].email)])
      expect((await byEmail(address)).body).toEqual({ users });
    expect((await bySlug('olive-owner', staff('Administrator'))).body).toEqual({ users });
  });

  it.each([`${'a+b%2541'}@example.com`, 'nobody@example.com', '%', '%E0%A4%A', 'x'.repeat(300)])(
    'return 404 for %s',
    async (value) => {
      expectRefusal(await byEmail(encodeURIComponent(value)), { status: 404, type: 'NotFoundError' });
      expectRefusal(await bySlug(encodeURIComponent(value)), { status: 404, type: 'NotFoundError' });
    },
  );

  it('do not find who is invited and has not joined', async () => {
    const email = newAddress();
    await inviteOne(email);
    expectRefusal(await byEmail(email), { status: 404, type: 'NotFoundError' });
  });

  it('name the ids if several members have the slug, because a script must not act on one of them', async () => {
    const members = [await join(), await join()];
    const { slug } = (await read(members[0]?.id ?? '')).body.users[0];
    const refused = await bySlug(slug);
    const error = expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'slug' });
    for (const { id } of members) expect(error.help).toContain(id);
  });

  it('are open to the Owner and Administrators only', async () => {
    for (const key of [staff('Editor'), staff('Author'), keys.integration]) {
      expectRefusal(await byEmail('owner@masthead.example', key), { status: 403, type: 'NoPermissionError' });
      expectRefusal(await bySlug('olive-owner', key), { status: 403, type: 'NoPermissionError' });
    }
  });
});

describe('PUT /admin/users/{id}/', () => {
  it('changes the name and updated_at, and keeps the slug', async () => {
    const { id, key } = await join();
    const before = (await read('me', key)).body.users[0];
    const answer = await update('me', { name: 'Augusta' }, key);
    expect(answer.status).toBe(200);
    expect(answer.body.users).toEqual([{ ...before, name: 'Augusta', updated_at: answer.body.users[0].updated_at }]);
    expect(answer.body.users[0].updated_at > before.updated_at).toBe(true);
    expect((await read(id)).body).toEqual(answer.body);
  });

  it('changes the role, given as an id or as an object, and publishes one event', async () => {
    const { id } = await join();
    expect((await update(id, { roles: [roleId('Editor')] }, staff('Administrator'))).status).toBe(200);
    const answer = await update(
      id,
      { roles: [{ id: roleId('Editor'), name: 'ignored' }] },
      keys.owner,
      '?include=roles',
    );
    expect(answer.body.users[0].roles).toMatchObject([{ name: 'Editor' }]);
    const changes = (await published('staff.role.changed')).filter(({ staff: { current } }) => current.id === id);
    expect(changes).toEqual([
      {
        event: 'staff.role.changed',
        staff: { current: expect.objectContaining({ id, role: 'Editor' }), previous: { role: 'Author' } },
      },
    ]);
  });

  it('leaves the event to the sweep if the queue does not accept it', async () => {
    const { id } = await join();
    await stack.drain('events');
    stack.faults.set({ faults: [{ fault: 'error', service: 'sqs' }] });
    expect((await update(id, { roles: [roleId('Contributor')] })).status).toBe(200);
    stack.faults.set({ faults: [] });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
    await stack.invoke('due/sweep', {});
    vi.useRealTimers();
    const changes = (await published('staff.role.changed')).filter(({ staff: { current } }) => current.id === id);
    expect(changes).toHaveLength(1);
  });

  it("refuses to change the Owner's role, and allows nobody but the Owner to change the Owner's name", async () => {
    const refusal = { status: 403, type: 'NoPermissionError' };
    expectRefusal(await update('me', { roles: [roleId('Editor')] }), { ...refusal, property: 'roles' });
    expectRefusal(await update(owner, { name: 'Mine' }, staff('Administrator')), refusal);
    expect((await update('me', { name: 'Olive Owner', roles: [roleId('Owner')] })).status).toBe(200);
    const { id } = await join();
    expectRefusal(await update(id, { roles: [roleId('Owner')] }), { ...refusal, property: 'roles' });
    expectRefusal(await update(id, { roles: [roleId('Scheduler Integration')] }), { ...refusal, property: 'roles' });
  });

  it('allows only the Owner and Administrators to change roles, but never their own', async () => {
    const { id, key } = await join();
    const refusal = { status: 403, type: 'NoPermissionError', property: 'roles' };
    expectRefusal(await update('me', { roles: [roleId('Administrator')] }, key), refusal);
    expectRefusal(await update('me', { roles: [roleId('Editor')] }, staff('Administrator')), refusal);
    expectRefusal(await update(id, { name: 'Hers' }, staff('Editor')), { status: 403, type: 'NoPermissionError' });
  });

  it('returns 404 for an unknown role or member, 422 for wrong fields, and 400 for another id', async () => {
    const { id } = await join();
    expectRefusal(await update(id, { roles: [unknown] }), { status: 404, type: 'NotFoundError', property: 'roles' });
    expectRefusal(await update(unknown, { name: 'Unknown' }), { status: 404, type: 'NotFoundError' });
    expectRefusal(await update(id, { name: ' ' }), { status: 422, type: 'ValidationError', property: 'name' });
    expectRefusal(await update(id, { roles: [] }), { status: 422, type: 'ValidationError', property: 'roles' });
    expectRefusal(await update(id, { id: unknown, name: 'x' }), {
      status: 400,
      type: 'BadRequestError',
      property: 'id',
    });
  });
});

describe('PUT /admin/users/{id}/token/', () => {
  it("returns a key in Ghost's format once; it works at once and replaces the previous key", async () => {
    const { id, key } = await join();
    const answer = await renew('me', key);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      apiKey: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        type: 'admin',
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
        user_id: id,
        role_id: roleId('Author'),
        created_at: expect.any(String),
        updated_at: answer.body.apiKey.created_at,
        last_seen_at: null,
        last_seen_version: null,
      },
    });
    const { apiKey } = answer.body;
    expect((await read('me', `${apiKey.id}:${apiKey.secret}`)).body.users[0].id).toBe(id);
    expect(await items(`KEY#${key.split(':')[0]}`)).toEqual([]);
    expectRefusal(await list('', key), { status: 401, type: 'UnauthorizedError', code: 'UNKNOWN_ADMIN_API_KEY' });
  });

  it('refuses an Administrator the key of the Owner, and other staff the keys of others', async () => {
    const refusal = { status: 403, type: 'NoPermissionError' };
    expectRefusal(await renew(owner, staff('Administrator')), refusal);
    expectRefusal(await renew(administrator, staff('Editor')), refusal);
    expectRefusal(await renew(unknown), { status: 404, type: 'NotFoundError' });
  });
});

describe('DELETE /admin/users/{id}/', () => {
  it('removes a member: the keys are invalid, the address can be invited, and an event is published', async () => {
    const { id, email, key } = await join();
    const answer = await remove(id, staff('Administrator'));
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expectRefusal(await list('', key), { status: 401, type: 'UnauthorizedError', code: 'UNKNOWN_ADMIN_API_KEY' });
    expect(await items(`KEY#${key.split(':')[0]}`)).toEqual([]);
    expectRefusal(await read(id), { status: 404, type: 'NotFoundError' });
    expectRefusal(await remove(id), { status: 404, type: 'NotFoundError' });
    expect((await inviteOne(email)).id).toMatch(/^[0-9a-f]{24}$/);
    const removals = (await published('staff.removed')).filter(({ staff: { previous } }) => previous.id === id);
    expect(removals).toEqual([
      {
        event: 'staff.removed',
        staff: { current: {}, previous: expect.objectContaining({ id, email, role: 'Author' }) },
      },
    ]);
  });

  it('revokes the open invites that the member has sent, and no other invites', async () => {
    const { id, key } = await join('Editor');
    const own = await inviteAndMail(newAddress(), key);
    const other = (await inviteOne(newAddress())).id;
    await remove(id);
    expect((await open(own.token)).status).toBe(410);
    expectRefusal(await accept(own.token), { status: 404, type: 'NotFoundError' });
    expect((await readInvite(own.id)).status).toBe(404);
    const revoked = await stack.call('invites/list', { path: '/admin/invites/?status=revoked', key: keys.owner });
    expect(revoked.body.invites).toContainEqual(expect.objectContaining({ id: own.id, status: 'revoked' }));
    expect(await statusOf(other)).toBe('pending');
  });

  it('never removes the Owner', async () => {
    for (const key of [keys.owner, staff('Administrator')])
      expectRefusal(await remove(owner, key), { status: 403, type: 'NoPermissionError' });
    expect((await read(owner)).status).toBe(200);
  });

  it('is open to the Owner and Administrators only', async () => {
    for (const [role, key] of Object.entries(keys.staff))
      expect((await remove(unknown, key)).status, role).toBe(role === 'Owner' || role === 'Administrator' ? 404 : 403);
  });
});
