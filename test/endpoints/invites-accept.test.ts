/** Accepting by `GET|POST /admin/authentication/invitation/` (docs/compatibility.md, "Accepting an invitation"). */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { roles, invite, inviteOne, inviteAndMail, revoke, set, staffWith, statusOf, tokenFor } = await inviting(
  stack,
  keys,
);

const path = '/admin/authentication/invitation/';
const ask = (email: string) => stack.call('invites/status', { path: `${path}?email=${encodeURIComponent(email)}` });
const accept = (item: unknown, root = 'invitation') => stack.call('invites/accept', { path, body: { [root]: [item] } });
const complete = (token: string, email: string) => ({ token, email, name: 'Ada Lovelace', password: 'ten chars!' });

describe('GET /admin/authentication/invitation/', () => {
  it('returns whether the address has an open invitation, and ignores upper and lower case', async () => {
    const email = newAddress();
    await inviteOne(email);
    const answer = await ask(email.toLowerCase());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ invitation: [{ valid: true }] });
  });

  it('returns the same for a staff member as for an unknown address', async () => {
    const [member, stranger] = [await ask('owner@masthead.example'), await ask(newAddress())];
    expect(member.body).toEqual({ invitation: [{ valid: false }] });
    expect({ ...member, headers: {} }).toEqual({ ...stranger, headers: {} });
  });

  it('returns false for an invitation that was accepted or revoked or has expired', async () => {
    const [accepted, expired, revoked] = [newAddress(), newAddress(), newAddress()];
    await accept(complete((await inviteAndMail(accepted)).token, accepted));
    await set((await inviteOne(expired)).id, 'expires', Date.now() - 1);
    const { id } = await inviteOne(revoked);
    await revoke(id);
    for (const email of [accepted, expired, revoked])
      expect((await ask(email)).body).toEqual({ invitation: [{ valid: false }] });
  });

  it('returns 400 without a valid address', async () => {
    for (const query of ['', '?email=', '?email=ada', '?mail=ada%40example.org'])
      expectRefusal(await stack.call('invites/status', { path: `${path}${query}` }), {
        status: 400,
        type: 'BadRequestError',
        property: 'email',
      });
  });
});

describe('POST /admin/authentication/invitation/', () => {
  it('uses up the invite and creates the staff member with the given name', async () => {
    const email = newAddress();
    const { body } = await invite([{ email, role_id: roles.Editor }]);
    await stack.drain('mail');
    const answer = await accept(complete(await tokenFor(email), email.toLowerCase()));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ invitation: [{ message: expect.stringMatching(/\w/) }] });
    expect(await statusOf(body.invites[0].id)).toBe('accepted');
    expect(await staffWith(email)).toEqual([
      expect.objectContaining({
        name: 'Ada Lovelace',
        email,
        role: 'Editor',
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
      }),
    ]);
    expectRefusal(await invite([{ email, role_id: roles.Author }]), {
      status: 422,
      type: 'ValidationError',
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
    });
  });

  it('accepts a link even before its mail is recorded, and after a bounce', async () => {
    for (const status of ['pending', 'bounced', 'complained']) {
      const email = newAddress();
      const { id, token } = await inviteAndMail(email);
      await set(id, 'status', status);
      expect((await accept(complete(token, email))).status).toBe(200);
    }
  });

  it('works once and returns 404 afterwards', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    expect((await accept(complete(token, email))).status).toBe(200);
    const { help } = expectRefusal(await accept(complete(token, email)), { status: 404, type: 'NotFoundError' });
    expect(help).toBe('Sign in with the invited address.');
  });

  it('succeeds for one of twenty concurrent requests, and the others get 404 with the reason', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, person) => accept({ ...complete(token, email), name: `Person ${person}` })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const losers = answers.filter(({ status }) => status !== 200);
    for (const answer of losers)
      expect(expectRefusal(answer, { status: 404, type: 'NotFoundError' }).message).toMatch(/already been accepted/);
    expect(await staffWith(email)).toHaveLength(1);
  });

  it('returns 404 and says what to do for an unknown, expired, revoked or replaced token', async () => {
    const [expired, revoked, replaced] = [newAddress(), newAddress(), newAddress()];
    const one = await inviteAndMail(expired);
    await set(one.id, 'expires', Date.now() - 1);
    const two = await inviteAndMail(revoked);
    await revoke(two.id);
    const three = await inviteAndMail(replaced);
    await inviteOne(replaced, keys.staff.Administrator);
    const forged = `${three.id}${'A'.repeat(43)}`;
    for (const [token, email, fix] of [
      ['x', expired, 'Copy the whole token from the link.'],
      [forged, replaced, 'Copy the whole token from the link.'],
      [one.token, expired, 'Ask for the invitation to be resent: the new mail has a new link.'],
      [two.token, revoked, 'Ask for a new invitation.'],
      [three.token, replaced, 'Use the link in the newest mail.'],
    ] as const) {
      const { help } = expectRefusal(await accept(complete(token, email)), { status: 404, type: 'NotFoundError' });
      expect(help).toBe(fix);
    }
    expect([...(await staffWith(expired)), ...(await staffWith(revoked)), ...(await staffWith(replaced))]).toEqual([]);
  });

  it.each([
    ['missing token', { name: 'Ada', password: 'ten chars!' }, 'token'],
    ['missing name', { token: 'x', password: 'ten chars!' }, 'name'],
    ['a name of spaces and line breaks', { token: 'x', name: ' \r\n ', password: 'ten chars!' }, 'name'],
    ['a name of 192 characters', { token: 'x', name: 'a'.repeat(192), password: 'ten chars!' }, 'name'],
    ['missing password', { token: 'x', name: 'Ada' }, 'password'],
    ['password under 10 characters', { token: 'x', name: 'Ada', password: '😀😀😀😀😀😀😀😀😀' }, 'password'],
    ['an invalid address', { token: 'x', name: 'Ada', password: 'ten chars!', email: 'ada' }, 'email'],
  ])('returns 422 for %s', async (_what, item, property) => {
    expectRefusal(await accept(item), { status: 422, type: 'ValidationError', property });
  });

  it('returns 422 for an address other than the invited one, and the link still works', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    const error = expectRefusal(await accept(complete(token, newAddress())), {
      status: 422,
      type: 'ValidationError',
      property: 'email',
    });
    expect(JSON.stringify(error)).not.toContain(email);
    expect((await accept({ ...complete(token, email), email: undefined })).status).toBe(200);
  });

  it('returns 400 for [{}], another root key, or a root that is not an array', async () => {
    for (const answer of [await accept({}), await accept(complete('x', 'ada@example.org'), 'invitations')])
      expectRefusal(answer, { status: 400, type: 'BadRequestError' });
  });

  it('returns 422 for two items', async () => {
    const answer = await stack.call('invites/accept', {
      path,
      body: { invitation: [complete('x', 'ada@example.org'), complete('y', 'bob@example.org')] },
    });
    expectRefusal(answer, { status: 422, type: 'ValidationError', property: 'invitation' });
  });

  it('removes spaces around a name, and repeated spaces within it', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    await accept({ ...complete(token, email), name: '  Ada   Lovelace ' });
    expect((await staffWith(email))[0]).toMatchObject({ name: 'Ada Lovelace' });
  });
});
