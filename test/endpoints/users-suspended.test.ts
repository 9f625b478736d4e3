/** Suspended staff, `PUT /admin/users/{id}/` with `status`: nothing of theirs works until they are active again. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { signingIn } from '../support/sessions.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, inviteOne, open, read, roles, staffWith, statusOf } = await inviting(stack, keys);
const { exchange, request, signIn, tokensFor } = signingIn(stack);

/** Any environment may remember a key for this long. */
const cachedMs = 5000;

/** Returns a new Editor with a key, who can invite. */
const newEditor = async () => {
  const email = newAddress();
  await accept((await inviteAndMail(email)).token);
  const [{ id } = expect.fail()] = await staffWith(email);
  await update(id, { roles: [roles.Editor] });
  const token = await stack.call('users/renew-token', { path: `/admin/users/${id}/token/`, key: keys.owner });
  return { email, id, key: `${token.body.apiKey.id}:${token.body.apiKey.secret}` };
};
const update = (id: string, changes: object, key = keys.owner) =>
  stack.call('users/update', { path: `/admin/users/${id}/`, key, body: { users: [changes] } });
const suspend = (id: string) => update(id, { status: 'inactive' });
const me = (access: { readonly key?: string; readonly cookie?: string }) =>
  stack.call('users/read', { path: '/admin/users/me/', ...access });
const suspended = { status: 401, type: 'UnauthorizedError', code: 'USER_SUSPENDED' } as const;

describe('a suspended staff member', () => {
  it('is shown as inactive, and recorded in the audit log', async () => {
    const { id } = await newEditor();
    const answer = await suspend(id);
    expect(answer.status).toBe(200);
    expect(answer.body.users).toMatchObject([{ id, status: 'inactive' }]);
    const path = `/admin/audit/?target=${id}&action=staff.updated`;
    const { body } = await stack.call('audit/list', { path, key: keys.owner });
    expect(body.audit).toContainEqual(
      expect.objectContaining({ changes: { status: { from: 'active', to: 'inactive' } } }),
    );
  });

  it('is refused with key and session within five seconds', async () => {
    const { email, id, key } = await newEditor();
    const { cookie } = await signIn(email);
    expect([(await me({ key })).status, (await me({ cookie })).status]).toEqual([200, 200]);
    await suspend(id);
    pass(cachedMs);
    expectRefusal(await me({ key }), suspended);
    expectRefusal(await me({ cookie }), suspended);
  });

  it('gets no sign-in mail, and an earlier link signs nobody in', async () => {
    const { email, id } = await newEditor();
    await request(email);
    const [token = ''] = await tokensFor(email);
    await suspend(id);
    expect((await request(email)).status).toBe(202);
    expect(await tokensFor(email)).toHaveLength(1);
    expectRefusal(await exchange(token), { status: 404, type: 'NotFoundError', property: 'token' });
  });

  it('has no open invitations any more, also when active again', async () => {
    const { id, key } = await newEditor();
    const { token, id: invite } = await inviteAndMail(newAddress(), key);
    await suspend(id);
    expect((await read(invite)).status).toBe(404);
    expect((await open(token)).text).toContain('This invitation was withdrawn');
    pass(2 * cachedMs);
    await update(id, { status: 'active' });
    expect((await open(token)).text).toContain('This invitation was withdrawn');
    pass(2 * cachedMs);
    const later = await inviteOne(newAddress(), key);
    expect(await statusOf(later.id)).toBe('pending');
  });
});

describe('a staff member who is active again', () => {
  it('uses the same keys, but neither the sessions nor the links of before', async () => {
    const { email, id, key } = await newEditor();
    const { cookie } = await signIn(email);
    await request(email);
    const token = (await tokensFor(email)).at(-1) ?? '';
    await suspend(id);
    pass(cachedMs);
    await update(id, { status: 'active' });
    pass(cachedMs);
    expect((await me({ key })).body.users).toMatchObject([{ id, status: 'active' }]);
    expectRefusal(await me({ cookie }), { status: 401, type: 'UnauthorizedError', code: 'INVALID_SESSION' });
    expectRefusal(await exchange(token), { status: 404, type: 'NotFoundError', property: 'token' });
    expect((await me({ cookie: (await signIn(email)).cookie })).status).toBe(200);
  });
});

describe('nobody can suspend', () => {
  it('the Owner', async () => {
    const [owner = expect.fail()] = await staffWith('owner@masthead.example');
    for (const key of [keys.owner, keys.staff.Administrator])
      expectRefusal(await update(owner.id, { status: 'inactive' }, key), { status: 403, type: 'NoPermissionError' });
  });

  it('themselves', async () => {
    const refused = await update('me', { status: 'inactive' }, keys.staff.Administrator);
    expectRefusal(refused, { status: 403, type: 'NoPermissionError', property: 'status' });
  });

  it('others as an Editor', async () => {
    const { id } = await newEditor();
    const refused = await update(id, { status: 'inactive' }, keys.staff.Editor);
    expectRefusal(refused, { status: 403, type: 'NoPermissionError' });
  });

  it('with another word', async () => {
    const { id } = await newEditor();
    const refused = await update(id, { status: 'locked' });
    expectRefusal(refused, { status: 422, type: 'ValidationError', property: 'status' });
  });
});
