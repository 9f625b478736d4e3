/** Invites and their inviter's rank: links without mail, others' open invites, and inviters who lost their rights. */
import { describe, expect, it } from 'vitest';
import { roleId } from '../../shared/accounts/role.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress, tokenIn } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { signingIn } from '../support/sessions.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, invite, inviteAndMail, open, resend, staffWith, tokenFor } = await inviting(stack, keys);
const { signIn } = signingIn(stack);
const administrator = keys.staff.Administrator ?? '';

const link = async (email: string, role: string, key: string) => {
  const answer = await invite([{ email, role_id: roleId(role), send_email: false }], key);
  return { answer, token: tokenIn(answer.body.invites?.[0].link ?? '') ?? '' };
};
const users = async (): Promise<readonly { id: string; email: string; email_verified: boolean }[]> =>
  (await stack.call('users/list', { path: '/admin/users/?limit=all', key: keys.owner })).body.users;
const userWith = async (email: string) =>
  (await users()).find((user) => user.email === email) ?? expect.fail(`no member has ${email}`);
const giveRole = (id: string, role: string, more: object = {}) =>
  stack.call('users/update', {
    path: `/admin/users/${id}/`,
    key: keys.owner,
    body: { users: [{ roles: [roleId(role)], ...more }] },
  });
/** A member who joined by mail, with a key of their own. */
const newMember = async (role: string) => {
  const email = newAddress();
  await invite([{ email, role_id: roleId(role) }]);
  await stack.drain('mail');
  expect((await accept(await tokenFor(email))).status).toBe(200);
  const { id } = await userWith(email);
  const { apiKey } = (await stack.call('users/renew-token', { path: `/admin/users/${id}/token/`, key: keys.owner }))
    .body;
  return { id, email, key: `${apiKey.id}:${apiKey.secret}` };
};

describe('send_email: false', () => {
  it.each(['integration', 'Super Editor', 'Editor'])('returns 403 for the %s', async (caller) => {
    const { answer } = await link(
      newAddress(),
      'Author',
      caller === 'integration' ? keys.integration : (keys.staff[caller] ?? ''),
    );
    expectRefusal(answer, { status: 403, type: 'NoPermissionError', property: 'send_email' });
  });

  it('does not allow an Administrator to replace an open invite of the Owner', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    expectRefusal((await link(email, 'Administrator', administrator)).answer, {
      status: 403,
      type: 'NoPermissionError',
      property: 'email',
    });
    expect((await accept(token)).status).toBe(200);
  });

  it('allows an inviter to replace an open invite of a lower-ranking inviter', async () => {
    for (const [by, inviter] of [
      [keys.owner, administrator],
      [administrator, keys.staff.Editor ?? ''],
    ] as const) {
      const email = newAddress();
      await inviteAndMail(email, inviter);
      expect((await link(email, 'Author', by)).answer.status).toBe(201);
    }
  });
});

describe('an invite that is mailed', () => {
  const editor = keys.staff.Editor ?? '';

  it('can replace an open invite of a higher-ranking inviter, because the link goes to the same mailbox', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    expect((await invite([{ email, role_id: roleId('Contributor') }], editor)).status).toBe(201);
    expect((await open(token)).status).toBe(410);
    await stack.drain('mail');
    expect((await accept(await tokenFor(email))).status).toBe(200);
    expect((await staffWith(email))[0]?.role).toBe('Contributor');
  });

  it('cannot replace an open invite for a role that the caller cannot assign', async () => {
    const email = newAddress();
    await invite([{ email, role_id: roleId('Administrator') }]);
    await stack.drain('mail');
    const token = await tokenFor(email);
    expectRefusal(await invite([{ email, role_id: roleId('Contributor') }], editor), {
      status: 403,
      type: 'NoPermissionError',
      property: 'email',
    });
    expect((await accept(token)).status).toBe(200);
  });
});

describe('an address that joined without a mail', () => {
  const joined = async () => {
    const email = newAddress();
    expect((await accept((await link(email, 'Contributor', administrator)).token)).status).toBe(200);
    return userWith(email);
  };

  it('is shown as unverified, unlike the address of a mailed invite', async () => {
    expect((await joined()).email_verified).toBe(false);
    const email = newAddress();
    await accept((await inviteAndMail(email)).token);
    expect((await userWith(email)).email_verified).toBe(true);
  });

  it('becomes verified if the invite is mailed later', async () => {
    const email = newAddress();
    const { answer } = await link(email, 'Author', administrator);
    await resend(answer.body.invites[0].id);
    await stack.drain('mail');
    expect((await accept(await tokenFor(email))).status).toBe(200);
    expect((await userWith(email)).email_verified).toBe(true);
  });

  it('becomes verified with the first sign-in by a mailed link', async () => {
    const { email } = await joined();
    await signIn(email);
    expect((await userWith(email)).email_verified).toBe(true);
  });

  it('gets a higher role only with a confirmation, and 422 without it', async () => {
    const { id, email } = await joined();
    expectRefusal(await giveRole(id, 'Administrator'), {
      status: 422,
      type: 'ValidationError',
      code: 'EMAIL_NOT_VERIFIED',
      property: 'roles',
    });
    expect((await staffWith(email))[0]?.role).toBe('Contributor');
    expect((await giveRole(id, 'Administrator', { confirm_unverified_email: true })).status).toBe(200);
    expect((await giveRole(id, 'Author')).status).toBe(200);
  });
});

describe('a link whose inviter has a lower role now', () => {
  it('works only if the new role can still assign the invited role', async () => {
    const inviter = await newMember('Administrator');
    const [high, low] = [newAddress(), newAddress()];
    const dead = await link(high, 'Administrator', inviter.key);
    const alive = await link(low, 'Author', inviter.key);
    await giveRole(inviter.id, 'Editor');
    expect([(await open(dead.token)).status, (await open(alive.token)).status]).toEqual([410, 200]);
    expectRefusal(await accept(dead.token), { status: 404, type: 'NotFoundError', property: 'token' });
    expect(await staffWith(high)).toEqual([]);
    expect((await accept(alive.token)).status).toBe(200);
  });

  it('does not work again when the inviter gets the higher role back, because it was shown as revoked', async () => {
    const inviter = await newMember('Administrator');
    const [high, low] = [newAddress(), newAddress()];
    const dead = await link(high, 'Administrator', inviter.key);
    const alive = await link(low, 'Author', inviter.key);
    await giveRole(inviter.id, 'Editor');
    await giveRole(inviter.id, 'Administrator');
    expect([(await open(dead.token)).status, (await open(alive.token)).status]).toEqual([410, 200]);
    expectRefusal(await accept(dead.token), { status: 404, type: 'NotFoundError', property: 'token' });
    expect(await staffWith(high)).toEqual([]);
    expect((await accept(alive.token)).status).toBe(200);
  });
});
