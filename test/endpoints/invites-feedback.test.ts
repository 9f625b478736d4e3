/** Bounces and complaints that SES reports about mails (`functions/invites/record-feedback.ts`), as recorded events. */
import { afterEach, describe, expect, it } from 'vitest';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { bounced, bouncedElsewhere, complained, rejected } from '../support/ses-events.ts';

const stack = await freshStack();
const keys = await stack.seed();
const { accept, inviteOne, inviteAndMail, read, resend, revoke, statusOf, tokenFor } = await inviting(stack, keys);

const hear = (event: object) => stack.invoke('invites/record-feedback', event);
/** Otherwise the Owner would be stopped after ten of them. */
afterEach(async () => {
  for (const status of ['bounced', 'complained'])
    for (const { id } of (await invitesWith(status)).body.invites) await revoke(id, keys.staff.Administrator);
});
const invitesWith = (status: string) =>
  stack.call('invites/list', { path: `/admin/invites/?status=${status}`, key: keys.owner });
const history = async (id: string): Promise<[string, string | null][]> =>
  (await read(id)).body.invites[0].history.map(({ status, reason }: { status: string; reason: string | null }) => [
    status,
    reason,
  ]);
describe('a bounce', () => {
  it('is recorded on its invite, with the time from SES and the reason', async () => {
    const { id } = await inviteAndMail(newAddress());
    await hear(bounced({ invite: id, at: '2026-11-21T11:00:00.000Z' }, { subType: 'NoEmail' }));
    const [invite] = (await read(id)).body.invites;
    expect(invite.status).toBe('bounced');
    expect(invite.history.at(-1)).toEqual({
      status: 'bounced',
      at: '2026-11-21T11:00:00.000Z',
      reason: 'Permanent: NoEmail',
    });
    expect(invite.updated_at).toBe('2026-11-21T11:00:00.000Z');
  });

  it.each([
    [
      'a complaint about an earlier mail',
      'OnAccountSuppressionList',
      'abuse',
      ['bounced', 'Not sent: OnAccountSuppressionList'],
    ],
    ['a report of spam', null, 'abuse', ['complained', 'abuse']],
    ['a report without a sub type', '', 'abuse', ['complained', 'abuse']],
    ['a report of fraud', null, 'fraud', ['complained', 'fraud']],
    ['a report of a virus', null, 'virus', ['complained', 'virus']],
    ['another report', null, 'other', ['complained', 'other']],
    ['a report that it is no spam', null, 'not-spam', ['sent', null]],
    ['a report that its authentication failed', null, 'auth-failure', ['sent', null]],
  ])('or a report of spam is recorded only if SES says so: %s', async (_, subType, type, last) => {
    const { id } = await inviteAndMail(newAddress());
    await hear(complained({ invite: id }, subType, type));
    expect((await history(id)).at(-1)).toEqual(last);
  });

  it('is recorded once, however often it arrives', async () => {
    const { id } = await inviteAndMail(newAddress());
    await Promise.all([hear(bounced({ invite: id })), hear(bounced({ invite: id }))]);
    await hear(bounced({ invite: id }));
    expect((await history(id)).map(([status]) => status)).toEqual(['pending', 'sent', 'bounced']);
  });

  it('is recorded even before its mail is recorded, and the mail is not sent again', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await hear(bounced({ invite: id }));
    await stack.drain('mail');
    expect(await statusOf(id)).toBe('bounced');
    expect(await stack.mailsTo(email)).toEqual([]);
  });

  it('of an earlier mailing of the invite changes nothing', async () => {
    const { id } = await inviteAndMail(newAddress());
    await resend(id);
    await stack.drain('mail');
    await hear(bounced({ invite: id, mailing: 1 }));
    expect(await statusOf(id)).toBe('sent');
    await hear(bounced({ invite: id, mailing: 2 }));
    expect(await statusOf(id)).toBe('bounced');
  });

  it('is ignored if it is an out-of-office reply', async () => {
    const { id } = await inviteAndMail(newAddress());
    await hear(bounced({ invite: id }, { type: 'Transient', action: null }));
    expect(await statusOf(id)).toBe('sent');
  });

  it('is recorded if it reports a full mailbox', async () => {
    const { id } = await inviteAndMail(newAddress());
    await hear(bounced({ invite: id }, { type: 'Transient', subType: 'MailboxFull' }));
    expect(await history(id)).toContainEqual(['bounced', 'Transient: MailboxFull']);
  });

  it('does not undo an acceptance', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    await accept(token);
    await hear(bounced({ invite: id }));
    await hear(complained({ invite: id }));
    expect(await statusOf(id)).toBe('accepted');
  });

  it('does not invalidate the link', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    await hear(bounced({ invite: id }));
    expect((await accept(token)).status).toBe(200);
  });
});

describe('a complaint, or a mail with a virus,', () => {
  it('is recorded with its reason', async () => {
    const { id: spam } = await inviteAndMail(newAddress());
    await hear(complained({ invite: spam }));
    expect((await history(spam)).at(-1)).toEqual(['complained', 'abuse']);
    const { id: virus } = await inviteAndMail(newAddress());
    await hear(rejected({ invite: virus }));
    expect((await history(virus)).at(-1)).toEqual(['bounced', 'Rejected: Bad content']);
  });

  it('is not overwritten by a bounce', async () => {
    const { id } = await inviteAndMail(newAddress());
    await hear(bounced({ invite: id }));
    await hear(complained({ invite: id }));
    await hear(bounced({ invite: id }));
    expect(await statusOf(id)).toBe('complained');
  });
});

describe('a report that is not about an invite', () => {
  it('is ignored, because a retry would not help', async () => {
    const unknown = bounced({ invite: '0123456789abcdef01234567' });
    for (const report of [bouncedElsewhere(), { 'detail-type': 'Email Bounced', detail: {} }, unknown])
      await expect(hear(report)).resolves.toBeUndefined();
  });
});

describe('an invite that bounced and was resent', () => {
  it('shows all of these states in its history', async () => {
    const email = newAddress();
    const { id } = await inviteAndMail(email);
    await hear(bounced({ invite: id }, { subType: 'NoEmail' }));
    await resend(id);
    await stack.drain('mail');
    await accept(await tokenFor(email));
    expect(await history(id)).toEqual([
      ['pending', null],
      ['sent', null],
      ['bounced', 'Permanent: NoEmail'],
      ['pending', null],
      ['sent', null],
      ['accepted', null],
    ]);
  });
});
