/** Changing invites: resend and revoke, and who can do so (docs/compatibility.md, "Invites"). */
import { beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, invite, inviteOne, inviteAndMail, open, resend, revoke, roles, set, statusOf, stored, tokenFor } =
  await inviting(stack, keys);

const list = (query = '', key = keys.owner) => stack.call('invites/list', { path: `/admin/invites/${query}`, key });
const readBare = (id: string, key = keys.owner) => stack.call('invites/read', { path: `/admin/invites/${id}/`, key });
const idsIn = (answer: { body: { invites: readonly { id: string }[] } }) => answer.body.invites.map(({ id }) => id);

/** Invites that cannot be changed, and an open one. */
const ids: Record<string, string> = {};
beforeAll(async () => {
  for (const status of ['accepted', 'revoked', 'replaced']) {
    const email = newAddress();
    const { id, token } = await inviteAndMail(email);
    ids[status] = id;
    if (status === 'accepted') await accept(token);
    if (status === 'revoked') await revoke(id);
    if (status === 'replaced') await inviteOne(email, keys.staff.Administrator);
  }
  ids.pending = (await inviteOne(newAddress())).id;
});

describe('POST /admin/invites/{id}/resend/', () => {
  it('mails a new link, and the page of the old link says why it no longer works', async () => {
    const email = newAddress();
    const { id, token: old } = await inviteAndMail(email);
    const before = (await readBare(id)).body.invites[0];
    await set(id, 'expires', Date.now() + 1000);
    const answer = await resend(id);
    expect(answer.status).toBe(200);
    const [again] = answer.body.invites;
    expect(again).toEqual({
      ...before,
      status: 'pending',
      expires: expect.any(Number),
      updated_at: expect.any(String),
    });
    expect(again.expires).toBe(Date.parse(again.updated_at) + 7 * 24 * 60 * 60 * 1000);
    await stack.drain('mail');
    const token = await tokenFor(email);
    expect(token).not.toBe(old);
    expect((await open(token)).status).toBe(200);
    expect((await open(old)).status).toBe(410);
    expectRefusal(await accept(old), { status: 404, type: 'NotFoundError' });
    expect((await accept(token)).status).toBe(200);
  });

  it('invalidates the old link before the new mail is sent', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    await resend(id);
    expect((await open(token)).status).toBe(410);
    expectRefusal(await accept(token), { status: 404, type: 'NotFoundError' });
  });

  it.each(['pending', 'bounced', 'complained', 'expired'])('reopens an invite that is %s', async (status) => {
    const email = newAddress();
    const { id } = await inviteAndMail(email);
    if (status === 'expired') await set(id, 'expires', Date.now() - 1);
    else await set(id, 'status', status);
    expect((await resend(id)).body.invites[0].status).toBe('pending');
    await stack.drain('mail');
    expect(await statusOf(id)).toBe('sent');
    expect((await open(await tokenFor(email))).status).toBe(200);
  });

  it('returns 422 with the code USER_ALREADY_REGISTERED for an accepted invite', async () => {
    expectRefusal(await resend(ids.accepted ?? ''), {
      status: 422,
      type: 'ValidationError',
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
    });
  });

  it('returns 404 for an invite that was revoked or replaced', async () => {
    for (const id of [ids.revoked, ids.replaced]) expect((await resend(id ?? '')).status).toBe(404);
  });

  it('mails once, even if the previous mail is still in the queue', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await resend(id);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect((await stored(id)).mailing).toBe(2);
  });
});

describe('DELETE /admin/invites/{id}/', () => {
  it('revokes the invite: its link no longer works, and only the list of revoked invites has it', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    const answer = await revoke(id);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect((await open(token)).status).toBe(410);
    expectRefusal(await accept(token), { status: 404, type: 'NotFoundError' });
    expect((await readBare(id)).status).toBe(404);
    expect(idsIn(await list('?status=revoked'))).toContain(id);
  });

  it('works once and returns 404 afterwards', async () => {
    const { id } = await inviteOne(newAddress());
    expect([(await revoke(id)).status, (await revoke(id)).status]).toEqual([204, 404]);
  });

  it('allows a new invite to the same address', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await revoke(id);
    expect(await statusOf((await inviteAndMail(email)).id)).toBe('sent');
  });

  it('returns 422 for an accepted invite', async () => {
    expectRefusal(await revoke(ids.accepted ?? ''), {
      status: 422,
      type: 'ValidationError',
      code: 'USER_ALREADY_REGISTERED',
      property: 'email',
    });
  });
});

describe('who can manage invites', () => {
  it('the key of an integration cannot', async () => {
    const { pending = '' } = ids;
    for (const answer of [
      await list('', keys.integration),
      await readBare(pending, keys.integration),
      await revoke(pending, keys.integration),
      await resend(pending, keys.integration),
    ])
      expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
  });

  it('staff who can assign any role can read invites, and change those whose role they can assign', async () => {
    const { body } = await invite([{ email: newAddress(), role_id: roles.Editor }]);
    const [{ id }] = body.invites;
    const { Editor = '', Administrator = '' } = keys.staff;
    expect((await readBare(id, Editor)).status).toBe(200);
    expect((await list('', Editor)).status).toBe(200);
    expectRefusal(await resend(id, Editor), { status: 403, type: 'NoPermissionError' });
    expectRefusal(await revoke(id, Editor), { status: 403, type: 'NoPermissionError' });
    expect((await resend(id, Administrator)).status).toBe(200);
    expect((await revoke(id, Administrator)).status).toBe(204);
    const mine = await inviteOne(newAddress());
    expect((await revoke(mine.id, Editor)).status).toBe(204);
  });

  it.each(['Author', 'Contributor'])(
    'no %s can, because the role can assign none, and unknown invites get the same 403',
    async (role) => {
      const key = keys.staff[role];
      const { pending = '' } = ids;
      for (const answer of [
        await list('', key),
        await readBare(pending, key),
        await readBare('f'.repeat(24), key),
        await readBare('no-id', key),
        await list('?status=nonsense', key),
        await revoke(pending, key),
        await resend(pending, key),
        await invite([{ email: newAddress(), role_id: 'f'.repeat(24) }], key),
      ])
        expectRefusal(answer, { status: 403, type: 'NoPermissionError' });
    },
  );
});
