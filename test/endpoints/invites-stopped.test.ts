/** An inviter whose mails bounce is stopped until staff have looked: the sender's reputation is everybody's. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { bounced, complained } from '../support/ses-events.ts';
import { signingIn } from '../support/sessions.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, read, roles, invite, resend, revoke, set, statusOf, tokenFor } = await inviting(stack, keys);
const { Administrator = '', Editor = '', 'Super Editor': superEditor = '' } = keys.staff;

const hear = (event: object) => stack.invoke('invites/record-feedback', event);

const inviteMany = async (count: number, key: string): Promise<string[]> => {
  const items = Array.from({ length: count }, () => ({ email: newAddress(), role_id: roles.Author }));
  const { status, body } = await invite(items, key);
  expect(status).toBe(201);
  return body.invites.map(({ id }: { id: string }) => id);
};

/** Invites and mails some addresses; the first of them bounce. */
const mailAndBounce = async (mailed: number, bouncing: number, key: string): Promise<string[]> => {
  const ids = await inviteMany(mailed, key);
  await stack.drain('mail');
  for (const id of ids.slice(0, bouncing)) await hear(bounced({ invite: id }));
  return ids.slice(0, bouncing);
};

const inviteOneMore = (key: string) => invite([{ email: newAddress(), role_id: roles.Author }], key);
const memberWith = async (role: string): Promise<{ name: string; email: string }> => {
  const { body } = await stack.call('users/list', { path: '/admin/users/?include=roles', key: keys.owner });
  return body.users.find(({ roles: [{ name }] }: { roles: [{ name: string }] }) => name === role);
};
const stopped = { status: 403, type: 'NoPermissionError', code: 'INVITES_STOPPED' } as const;

const noticesTo = async (email: string) =>
  (await stack.mailsTo(email)).filter(({ subject }) => subject === 'Invitations to The Daily Test are stopped');

describe('an inviter with ten bounces among the last fifty mails', () => {
  it('invites nobody, sends nothing again, and stops no colleague', async () => {
    const [first = ''] = await mailAndBounce(12, 10, keys.integration);
    expectRefusal(await inviteOneMore(keys.integration), stopped);
    expect((await inviteOneMore(keys.otherIntegration)).status).toBe(201);
    expect((await resend(first, Administrator)).status).toBe(200);
  });

  it('is also stopped by reports of spam, until an Administrator revokes what bounced', async () => {
    const ids = await inviteMany(9, superEditor);
    await stack.drain('mail');
    for (const id of ids) await hear(complained({ invite: id }));
    const [last = '', waiting = ''] = await inviteMany(2, superEditor);
    await hear(bounced({ invite: last }));
    await stack.drain('mail');
    expect(await statusOf(waiting)).toBe('pending');
    expectRefusal(await resend(waiting, superEditor), stopped);
    for (const id of ids) expect((await revoke(id, Administrator)).status).toBe(204);
    expect((await inviteOneMore(superEditor)).status).toBe(201);
    await set(waiting, 'due_at', new Date(Date.now() - 1).toISOString());
    await stack.invoke('due/sweep', {});
    await stack.drain('mail');
    expect(await statusOf(waiting)).toBe('sent');
  });

  it('is not let go on by the same key, but by the same person in a session', async () => {
    const ids = await mailAndBounce(11, 11, Editor);
    for (const id of ids.slice(0, 5)) await revoke(id, Editor);
    expectRefusal(await inviteOneMore(Editor), stopped);
    const { email } = await memberWith('Editor');
    const { cookie } = await signingIn(stack).signIn(email);
    for (const id of ids.slice(5, 7))
      expect((await stack.call('invites/delete', { path: `/admin/invites/${id}/`, cookie })).status).toBe(204);
    expect((await inviteOneMore(Editor)).status).toBe(201);
  });

  it('is told to the Owner and the Administrators once an hour, with a link to what bounced', async () => {
    await stack.drain('mail');
    const { name } = await memberWith('Super Editor');
    const about = async (role: string) =>
      (await noticesTo((await memberWith(role)).email)).filter(({ body }) =>
        body.text?.includes(`mails from ${name} b`),
      );
    expect([(await about('Owner')).length, (await about('Administrator')).length]).toEqual([1, 1]);
    expect(await about('Super Editor')).toEqual([]);
    expect((await about('Owner'))[0]?.body.text).toContain('/console/#/staff/invitations?status=bounced');
  });
});

describe('an inviter is not stopped', () => {
  it('by nine bounces', async () => {
    await mailAndBounce(20, 9, keys.otherIntegration);
    expect((await inviteOneMore(keys.otherIntegration)).status).toBe(201);
  });

  it('by ten bounces of which one was accepted, because its address exists', async () => {
    const [first = ''] = await mailAndBounce(10, 10, keys.owner);
    expectRefusal(await inviteOneMore(keys.owner), stopped);
    await accept(await tokenFor((await read(first)).body.invites[0].email));
    expect((await inviteOneMore(keys.owner)).status).toBe(201);
  });

  it('by bounces before the last fifty mails', async () => {
    await mailAndBounce(9, 9, Administrator);
    await mailAndBounce(50, 9, Administrator);
    expect((await inviteOneMore(Administrator)).status).toBe(201);
    await stack.drain('mail');
  });
});
