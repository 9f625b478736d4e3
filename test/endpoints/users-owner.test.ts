/** Handing the ownership over: `PUT /admin/users/owner/` (docs/compatibility.md, "Staff"). */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { signingIn } from '../support/sessions.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
const keys = await stack.seed();
const { accept, invite, inviteOne, roles, staffWith, statusOf, tokenFor } = await inviting(stack, keys);
const { signIn } = signingIn(stack);

const minute = 60_000;
const ownersAddress = 'owner@masthead.example';
const refused = { status: 403, type: 'NoPermissionError' } as const;

type Access = { readonly key?: string; readonly cookie?: string };
const handOver = (id: string, access: Access) =>
  stack.call('users/hand-over', { path: '/admin/users/owner/', ...access, body: { owner: [{ id }] } });
const update = (id: string, changes: object) =>
  stack.call('users/update', { path: `/admin/users/${id}/`, key: keys.owner, body: { users: [changes] } });
const roleOf = async (email: string) => (await staffWith(email))[0]?.role;

const newMember = async (role = 'Administrator', send_email = true) => {
  const email = newAddress();
  const { body } = await invite([{ email, role_id: roles[role], send_email }]);
  await stack.drain('mail');
  const token = send_email ? await tokenFor(email) : /invitation\/([\w-]+)/.exec(body.invites[0].link)?.[1];
  await accept(token ?? '');
  const [{ id } = expect.fail()] = await staffWith(email);
  return { id, email };
};

describe('PUT /admin/users/owner/ is refused', () => {
  it("with the Owner's key: a leaked key takes no stage", async () => {
    const { id } = await newMember();
    expectRefusal(await handOver(id, { key: keys.owner }), refused);
    expect(await roleOf(ownersAddress)).toBe('Owner');
  });

  it('with a session of anybody else', async () => {
    const { id, email } = await newMember();
    expectRefusal(await handOver(id, { cookie: (await signIn(email)).cookie }), refused);
  });

  it('with a session that began more than 15 minutes ago: a stolen one takes no stage', async () => {
    const { id } = await newMember();
    const { cookie } = await signIn(ownersAddress);
    pass(15 * minute + 1);
    expectRefusal(await handOver(id, { cookie }), { ...refused, code: 'SIGN_IN_AGAIN' });
  });

  it('to anybody but an active Administrator with a verified address', async () => {
    const { cookie } = await signIn(ownersAddress);
    const suspended = await newMember();
    await update(suspended.id, { status: 'inactive' });
    const [owner] = await staffWith(ownersAddress);
    for (const { id } of [
      await newMember('Editor'),
      await newMember('Administrator', false),
      suspended,
      owner ?? expect.fail(),
    ])
      expectRefusal(await handOver(id, { cookie }), { status: 422, type: 'ValidationError', property: 'id' });
    const unknown = await handOver('0123456789abcdef01234567', { cookie });
    expectRefusal(unknown, { status: 404, type: 'NotFoundError', property: 'id' });
    expect(await roleOf(ownersAddress)).toBe('Owner');
  });
});

describe('PUT /admin/users/owner/', () => {
  it('makes an Administrator the Owner and the Owner an Administrator, and returns both', async () => {
    const { id, email } = await newMember();
    const { id: invited } = await inviteOne(newAddress());
    const { cookie } = await signIn(ownersAddress);
    const answer = await handOver(id, { cookie });
    expect(answer.status).toBe(200);
    expect(answer.body.users.map((user: { email: string }) => user.email)).toEqual([email, ownersAddress]);
    expect([await roleOf(email), await roleOf(ownersAddress)]).toEqual(['Owner', 'Administrator']);
    expect(await statusOf(invited)).toBe('sent');

    await stack.drain('mail');
    const mailsTo = async (to: string) => (await stack.mailsTo(to)).map(({ subject }) => subject);
    expect(await mailsTo(email)).toContain('You are the Owner of The Daily Test');
    expect(await mailsTo(ownersAddress)).toContain('You are no longer the Owner of The Daily Test');

    const next = { cookie: (await signIn(email)).cookie };
    const { body } = await stack.call('audit/list', { path: '/admin/audit/?action=staff.updated', ...next });
    for (const [from, to] of [
      ['Administrator', 'Owner'],
      ['Owner', 'Administrator'],
    ])
      expect(body.audit).toContainEqual(
        expect.objectContaining({
          actor: expect.objectContaining({ name: 'Olive Owner' }),
          changes: { role: { from, to } },
        }),
      );

    // The previous Owner cannot take it back alone.
    const [previous] = await staffWith(ownersAddress);
    expectRefusal(await handOver(previous?.id ?? '', { cookie }), refused);
    expect((await handOver(previous?.id ?? '', next)).status).toBe(200);
  });

  it('is done by the operator if the mailbox of the Owner is lost', async () => {
    const [{ id: before } = expect.fail()] = await staffWith(ownersAddress);
    const { email } = await newMember();
    const unverified = await newMember('Administrator', false);
    await expect(stack.invoke('setup/hand-over', { to: unverified.email })).rejects.toThrow(
      'has never received a mail',
    );
    expect(await stack.invoke('setup/hand-over', { to: email })).toEqual({ previous: ownersAddress });
    const { cookie } = await signIn(email);
    const { body } = await stack.call('audit/list', { path: `/admin/audit/?target=${before}`, cookie });
    expect(body.audit[0]).toMatchObject({ actor: { type: 'operator' }, action: 'staff.updated' });
    expect((await handOver(before, { cookie })).status).toBe(200);
  });

  it('has one winner if two hand over at the same time', async () => {
    const [one, two] = [await newMember(), await newMember()];
    const { cookie } = await signIn(ownersAddress);
    const statuses = await Promise.all([one, two].map(async ({ id }) => (await handOver(id, { cookie })).status));
    expect(statuses.sort()).toEqual([200, 403]);
    const owners = await Promise.all([one, two].map(({ email }) => roleOf(email)));
    expect(owners.filter((role) => role === 'Owner')).toHaveLength(1);
  });
});
