/** Changing an address by `POST /admin/users/{id}/email/` and a mailed link (docs/compatibility.md, "Staff"). */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { cookieIn, signingIn } from '../support/sessions.ts';
import { stopTime } from '../support/test-time.ts';

const { pass } = stopTime();
const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteAndMail, inviteOne, read: readInvite, roles, staffWith } = await inviting(stack, keys);
const { exchange, request, signIn, tokensFor } = signingIn(stack);

const minute = 60_000;
const day = 24 * 60 * minute;
/** Any environment may remember a session for this long. */
const cachedMs = 5000;
const ownersAddress = 'owner@masthead.example';
const refused = { status: 403, type: 'NoPermissionError' } as const;
const dead = { status: 404, type: 'NotFoundError', property: 'token' } as const;

type Access = { readonly key?: string; readonly cookie?: string };
const ask = (id: string, email: string, access: Access = { key: keys.owner }) =>
  stack.call('users/change-email', { path: `/admin/users/${id}/email/`, ...access, body: { emails: [{ email }] } });
const update = (id: string, changes: object) =>
  stack.call('users/update', { path: `/admin/users/${id}/`, key: keys.owner, body: { users: [changes] } });
const addressOf = async (id: string) =>
  (await stack.call('users/read', { path: `/admin/users/${id}/`, key: keys.owner })).body.users[0].email;
const me = (access: Access) => stack.call('users/read', { path: '/admin/users/me/', ...access });
const open = (token: string) => stack.call('sessions/show-page', { path: `/sign-in/${token}/` });
const confirm = (token: string) =>
  stack.call('sessions/create-on-page', {
    path: `/sign-in/${token}/`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' },
    body: '',
  });
const subjectsTo = async (email: string) => {
  await stack.drain('mail');
  return (await stack.mailsTo(email)).map(({ subject }) => subject);
};
const linkTo = async (email: string): Promise<string> => (await tokensFor(email)).at(-1) ?? expect.fail('no link');

const newMember = async (role = 'Author') => {
  const email = newAddress();
  await accept((await inviteAndMail(email)).token);
  const [{ id } = expect.fail()] = await staffWith(email);
  if (role !== 'Author') await update(id, { roles: [roles[role]] });
  return { id, email };
};
/** A member with a link for a new address, asked for by an Administrator of its own: each may ask ten times an hour. */
const asked = async (access?: Access) => {
  const member = await newMember();
  const next = newAddress();
  const answer = await ask(member.id, next, access ?? { key: (await newAdministrator()).key });
  expect(answer.status, answer.text).toBe(202);
  return { ...member, next, token: await linkTo(next) };
};
const newAdministrator = async () => {
  const { id, email } = await newMember('Administrator');
  const { apiKey } = (await stack.call('users/renew-token', { path: `/admin/users/${id}/token/`, key: keys.owner }))
    .body;
  return { id, email, key: `${apiKey.id}:${apiKey.secret}` };
};

describe('a request for another address', () => {
  it('changes nothing, mails a link to the new address, and tells the old one', async () => {
    const { id, email } = await newMember();
    const { cookie } = await signIn(email);
    const next = newAddress();
    expect(await ask('me', next, { cookie })).toMatchObject({ status: 202, body: { emails: [{ email: next }] } });
    expect(await addressOf(id)).toBe(email);
    expect(await subjectsTo(next)).toEqual(['Your new address at The Daily Test']);
    expect(await subjectsTo(email)).toContain('Another address for The Daily Test');
    const page = await open(await linkTo(next));
    expect(page.status).toBe(200);
    for (const address of [email, next]) expect(page.text).toContain(address);
    expect(await addressOf(id)).toBe(email);
  });

  it('takes the place of an earlier one, and the present address withdraws it', async () => {
    const { id, email, token, next } = await asked();
    const later = newAddress();
    await ask(id, later);
    expectRefusal(await exchange(token), dead);
    const second = await linkTo(later);
    expect((await ask(id, email.toUpperCase())).status).toBe(202);
    expectRefusal(await exchange(second), dead);
    expect(await addressOf(id)).toBe(email);
    expect(await subjectsTo(next)).toHaveLength(1);
  });

  it.each([
    ["oneself with a key: a leaked Owner's key moves nobody's mailbox", 'me', {}],
    ["oneself with an Administrator's key", 'me', { key: keys.staff.Administrator }],
    ["the Owner with an Administrator's key", 'owner', { key: keys.staff.Administrator }],
    ["another member with an Editor's key", 'other', { key: keys.staff.Editor }],
    ["another member with an integration's key", 'other', { key: keys.integration }],
  ])('is refused for %s', async (_, whose, access) => {
    const [owner = expect.fail()] = await staffWith(ownersAddress);
    const ids: Record<string, string> = { me: 'me', owner: owner.id, other: (await newMember()).id };
    const next = newAddress();
    expectRefusal(await ask(ids[whose] ?? '', next, { key: keys.owner, ...access }), refused);
    expect(await subjectsTo(next)).toEqual([]);
  });

  it('is refused for oneself in a session of more than 15 minutes: a stolen one gains no mailbox', async () => {
    const { email } = await newMember();
    const { cookie } = await signIn(email);
    pass(15 * minute + 1);
    expectRefusal(await ask('me', newAddress(), { cookie }), { ...refused, code: 'SIGN_IN_AGAIN' });
  });

  it('is refused for the address of another member, and for a suspended member', async () => {
    const [one, other] = [await newMember(), await newMember()];
    const taken = { status: 422, type: 'ValidationError', code: 'USER_ALREADY_REGISTERED', property: 'email' } as const;
    expectRefusal(await ask(one.id, other.email.toUpperCase()), taken);
    await update(one.id, { status: 'inactive' });
    expectRefusal(await ask(one.id, newAddress()), { status: 422, type: 'ValidationError', property: 'id' });
    expectRefusal(await ask('0123456789abcdef01234567', newAddress()), { status: 404, type: 'NotFoundError' });
    expectRefusal(await ask(other.id, 'no address'), { status: 422, type: 'ValidationError', property: 'email' });
  });

  it('is limited to ten an hour for each caller', async () => {
    const { id } = await newMember();
    const { key } = await newAdministrator();
    for (let count = 0; count < 10; count++) expect((await ask(id, newAddress(), { key })).status).toBe(202);
    expectRefusal(await ask(id, newAddress(), { key }), { status: 429, type: 'TooManyRequestsError' });
  });
});

it('a PUT with another address is refused and names the endpoint for it; the present one is accepted', async () => {
  const { id, email } = await newMember();
  const error = expectRefusal(await update(id, { email: newAddress(), name: 'Eve' }), {
    status: 422,
    type: 'ValidationError',
    property: 'email',
  });
  expect(error.help).toContain(`/admin/users/${id}/email/`);
  const { body } = await update(id, { email: email.toUpperCase(), name: 'Augusta' });
  expect(body.users).toMatchObject([{ name: 'Augusta', email }]);
});

describe('the link to the new address', () => {
  it('changes the address, signs in, and tells the old one', async () => {
    const { id, email, next, token } = await asked();
    const answer = await confirm(token);
    expect(answer).toMatchObject({ status: 303, headers: { location: `${stack.baseUrl}/console/` } });
    expect((await me({ cookie: cookieIn(answer) ?? '' })).body.users).toMatchObject([
      { id, email: next, email_verified: true },
    ]);
    expect(await subjectsTo(email)).toContain('Your address at The Daily Test was changed');
    expect((await me({ cookie: (await signIn(next)).cookie })).status).toBe(200);
    const path = `/admin/audit/?target=${id}`;
    const { audit } = (await stack.call('audit/list', { path, key: keys.owner })).body;
    for (const action of ['staff.address.requested', 'staff.updated'])
      expect(audit).toContainEqual(expect.objectContaining({ action, changes: { email: { from: email, to: next } } }));
    // The old address is free.
    expect((await inviteOne(email)).id).toBeDefined();
  });

  it('works once, for a day, and has one winner', async () => {
    const { id, next, token } = await asked();
    const statuses = await Promise.all([confirm(token), confirm(token)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect(await addressOf(id)).toBe(next);
    const late = await asked();
    pass(day);
    expectRefusal(await exchange(late.token), dead);
    expect(await addressOf(late.id)).toBe(late.email);
  });

  it('works through the API, too', async () => {
    const { id, next, token } = await asked();
    expect((await exchange(token)).status).toBe(201);
    expect(await addressOf(id)).toBe(next);
  });

  it('leaves an old mailbox neither a session nor a link', async () => {
    const { email, id } = await newMember();
    const { cookie } = await signIn(email);
    await request(email);
    const old = await linkTo(email);
    const next = newAddress();
    await ask(id, next);
    pass(1000);
    await confirm(await linkTo(next));
    pass(cachedMs);
    expectRefusal(await me({ cookie }), { status: 401, type: 'UnauthorizedError', code: 'INVALID_SESSION' });
    expectRefusal(await exchange(old), dead);
    const before = await tokensFor(email);
    await request(email);
    expect(await tokensFor(email)).toEqual(before);
  });

  it('voids an open invitation to the new address', async () => {
    const { id } = await newMember();
    const next = newAddress();
    const invite = await inviteOne(next);
    await ask(id, next);
    expect((await confirm(await linkTo(next))).status).toBe(303);
    expect((await readInvite(invite.id)).status).toBe(404);
  });

  it('is dead if somebody else has the address by now', async () => {
    const { id, email, next, token } = await asked();
    await accept((await inviteAndMail(next)).token);
    expectRefusal(await exchange(token), dead);
    expect(await addressOf(id)).toBe(email);
  });

  it.each([
    ['suspended', { status: 'inactive' }],
    ['suspended and active again', { status: 'inactive' }, { status: 'active' }],
  ])('is dead if the member was %s', async (_, ...changes) => {
    const { id, email, token } = await asked();
    for (const change of changes as object[]) await update(id, change);
    expectRefusal(await exchange(token), dead);
    expect(await addressOf(id)).toBe(email);
  });

  it.each([
    ['suspended', { status: 'inactive' }],
    ['suspended and active again', { status: 'inactive' }, { status: 'active' }],
    ['demoted and promoted again', { role: 'Editor' }, { role: 'Administrator' }],
  ])('is dead if the Administrator who asked for it was %s', async (_, ...changes) => {
    const administrator = await newAdministrator();
    const { id, email, token } = await asked({ key: administrator.key });
    for (const { role, ...change } of changes as { role?: string }[]) {
      await update(administrator.id, { ...change, ...(role !== undefined && { roles: [roles[role]] }) });
      pass(2 * cachedMs);
    }
    expectRefusal(await exchange(token), dead);
    expect((await open(token)).status).toBe(404);
    expect(await addressOf(id)).toBe(email);
  });

  it('is dead if the Administrator who asked for it was suspended before the mail went out', async () => {
    const administrator = await newAdministrator();
    const { id, email } = await newMember();
    const next = newAddress();
    await ask(id, next, { key: administrator.key });
    await update(administrator.id, { status: 'inactive' });
    pass(60 * 1000);
    expectRefusal(await exchange(await linkTo(next)), dead);
    expect(await addressOf(id)).toBe(email);
  });

  it('is dead if the Administrator who asked for it was removed', async () => {
    const administrator = await newAdministrator();
    const { id, email, token } = await asked({ key: administrator.key });
    await stack.call('users/delete', { path: `/admin/users/${administrator.id}/`, key: keys.owner });
    expectRefusal(await exchange(token), dead);
    expect(await addressOf(id)).toBe(email);
  });
});

describe('the operator', () => {
  it('changes an address at once: sessions end, keys stay, and the next sign-in verifies it', async () => {
    const { id, email, key } = await newAdministrator();
    const { cookie } = await signIn(email);
    const next = newAddress();
    pass(1000);
    await stack.invoke('setup/change-address', { from: email.toUpperCase(), to: next });
    pass(cachedMs);
    expect((await me({ cookie })).status).toBe(401);
    expect((await me({ key })).body.users).toMatchObject([{ email: next, email_verified: false }]);
    expect(await subjectsTo(email)).toContain('Your address at The Daily Test was changed');
    expect((await me({ cookie: (await signIn(next)).cookie })).body.users).toMatchObject([{ email_verified: true }]);
    const { audit } = (await stack.call('audit/list', { path: `/admin/audit/?target=${id}`, key: keys.owner })).body;
    expect(audit).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ type: 'operator' }),
        changes: { email: { from: email, to: next } },
      }),
    );
  });

  it('is refused for an unknown address and for one that is taken', async () => {
    const [one, other] = [await newMember(), await newMember()];
    const change = (from: string, to: string) => stack.invoke('setup/change-address', { from, to });
    await expect(change(newAddress(), newAddress())).rejects.toThrow('No staff member has the address');
    await expect(change(one.email, other.email)).rejects.toThrow('already belongs to a staff member');
  });
});
