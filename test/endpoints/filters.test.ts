/** `?filter=` of staff and invites, as scripts for Ghost write it: a script must not act on somebody else. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, inviteOne, revoke, roles } = await inviting(stack, keys);

const list = (name: 'users' | 'invites', filter: string, more = '') =>
  stack.call(`${name}/list`, {
    path: `/admin/${name}/?filter=${encodeURIComponent(filter)}${more}`,
    key: keys.owner,
  });
const emails = async (name: 'users' | 'invites', filter: string): Promise<readonly string[]> =>
  (await list(name, filter)).body[name].map(({ email }: { email: string }) => email);

describe('a filter of the staff', () => {
  it('finds the member with an address in any case, and nobody for another address', async () => {
    const [carla, dan] = [newAddress(), newAddress()];
    for (const email of [carla, dan]) await accept((await inviteAndMail(email)).token);
    expect(await emails('users', `email:'${dan}'`)).toEqual([dan]);
    expect(await emails('users', `email:'${dan.toUpperCase()}'`)).toEqual([dan]);
    expect(await emails('users', `email:'${newAddress()}'`)).toEqual([]);
    expect((await emails('users', `email:'${carla}',email:'${dan}'`)).toSorted()).toEqual([carla, dan].toSorted());
    expect(await emails('users', `email:'${carla}'+status:inactive`)).toEqual([]);
    expect(await emails('users', `status:inactive+email:'${dan}',email:'${carla}'`)).toEqual([carla]);
  });

  it('continues on the next page', async () => {
    const first = await list('users', 'status:active', '&limit=1');
    const { next, total } = first.body.meta.pagination;
    const second = await list('users', 'status:active', `&limit=1&page=${next}`);
    expect(second.body.users[0].id > first.body.users[0].id).toBe(true);
    expect(total).toBe((await list('users', 'status:active', '&limit=all')).body.users.length);
  });

  it('compares names with quotes and backslashes', async () => {
    const name = "Ada O'Neill";
    await stack.call('users/update', {
      path: '/admin/users/me/',
      key: keys.staff.Editor ?? '',
      body: { users: [{ name }] },
    });
    const found = await list('users', "name:'Ada O\\'Neill'");
    expect(found.body.users).toMatchObject([{ name }]);
  });

  it.each([
    '',
    'email',
    'email:',
    "email:-'a@example.com'",
    "email:~'a'",
    'email:[a,b]',
    'created_at:>2020',
    'password:x',
    "(email:'a')",
    "email:'a'+",
    "email:'a' OR 1=1",
    "email:'a",
    `email:'${'a'.repeat(500)}'`,
    `${'('.repeat(400)}`,
  ])('is refused if it is no equality: %s', async (filter) => {
    expectRefusal(await list('users', filter), { status: 422, type: 'ValidationError', property: 'filter' });
  });
});

describe('a filter of the invites', () => {
  it('finds open invites by address and role, and dead ones by their status only', async () => {
    const [open, revoked] = [newAddress(), newAddress()];
    await inviteOne(open);
    const { id } = await inviteOne(revoked);
    await revoke(id);
    expect(await emails('invites', `email:'${open}'+role_id:${roles.Author}`)).toEqual([open]);
    expect(await emails('invites', `email:'${open}'+role_id:${roles.Editor}`)).toEqual([]);
    expect(await emails('invites', `email:'${revoked}'`)).toEqual([]);
    expect(await emails('invites', `email:'${revoked}'+status:revoked`)).toEqual([revoked]);
  });
});
