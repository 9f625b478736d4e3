/** The mailer of invites, `functions/mail/send.ts`: one mail for each invite, whatever interrupts it. */
import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from 'vitest';
import { inviting, newAddress, tokenIn } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { headerOf, mailIn, sesFront } from '../support/ses-front.ts';

const stack = await freshStack();
const ses = await sesFront(stack.parts.ses);
const keys = await stack.seed();
const { inviteOne, inviteAndMail, open, revoke, set, statusOf, stored, tokenFor } = await inviting(stack, keys);

afterEach(async () => {
  ses.judge(() => 'pass');
  await stack.drain('mail');
});

describe('an invite in the mail queue', () => {
  it('is mailed once and then has the status sent', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await stack.drain('mail');
    expect(await statusOf(id)).toBe('sent');
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect(await stored(id)).not.toHaveProperty('due');
  });

  it('is mailed with a link that works', async () => {
    const { token } = await inviteAndMail(newAddress());
    expect((await open(token)).status).toBe(200);
  });

  it('stores the hash of the token, never the token', async () => {
    const { id, token } = await inviteAndMail(newAddress());
    expect(token).toMatch(new RegExp(`^${id}[\\w-]{43}$`));
    expect((await stored(id)).token_hashes).toEqual([createHash('sha256').update(token).digest('hex')]);
    const { Items } = await stack.dynamodb.send(new ScanCommand({ TableName: stack.tableName }));
    expect(JSON.stringify(Items)).not.toContain(token.slice(24));
  });

  it('is mailed once even if its message arrives several times, one after the other or concurrently', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    const message = { invite_id: id };
    await Promise.all([stack.work('mail', [message, message]), stack.work('mail', [message])]);
    await stack.work('mail', [message]);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect(await statusOf(id)).toBe('sent');
  });

  it('has tags, which SES returns with a bounce', async () => {
    const email = newAddress();
    const { id } = await inviteAndMail(email);
    const sent = ses.seen.at(-1);
    const tags = [1, 2].map((at) => [sent?.get(`Tags.member.${at}.Name`), sent?.get(`Tags.member.${at}.Value`)]);
    expect(Object.fromEntries(tags)).toEqual({ invite: id, mailing: '1' });
    expect(sent?.get('ConfigurationSetName')).toMatch(/^masthead-/);
  });

  it('is ignored if its id is unknown', async () => {
    expect(await stack.work('mail', [{ invite_id: '0123456789abcdef01234567' }])).toEqual([]);
  });

  it('ends in the dead-letter queue if its message is malformed', async () => {
    expect(await stack.work('mail', [{ invite_id: 'x' }, {}])).toEqual([0, 1]);
  });
});

describe('an invite that needs no mail', () => {
  it('is not mailed if it was replaced', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    const newer = await inviteOne(email);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect((await tokenFor(email)).startsWith(newer.id)).toBe(true);
    expect(await stored(id)).not.toHaveProperty('due');
  });

  it('is not mailed if a newer invite exists, even before the older one is marked as replaced', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await inviteOne(email);
    await set(id, 'status', 'pending');
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(1);
  });

  it('is not mailed if it was revoked', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await revoke(id);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toEqual([]);
  });

  it('is not mailed if it has expired', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await set(id, 'expires', Date.now() - 1);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toEqual([]);
    expect(await statusOf(id)).toBe('expired');
    expect(await stored(id)).not.toHaveProperty('due');
  });
});

describe('an invite whose mailer is killed', () => {
  it('is mailed again if SES had already accepted the mail, and both links work', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    ses.judge(() => 'lose answer');
    await stack.drain('mail');
    ses.judge(() => 'pass');
    expect(await statusOf(id)).toBe('pending');
    await stack.work('mail', [{ invite_id: id, waits: 1 }]);
    const mails = await stack.mailsTo(email);
    expect(mails).toHaveLength(2);
    expect(await statusOf(id)).toBe('sent');
    for (const mail of mails) expect((await open(tokenIn(mail.body.text ?? '') ?? '')).status).toBe(200);
  });

  it("is mailed again only after the mailer's claim has expired", async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await set(id, 'claimed_until', Date.now() + 60_000);
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toEqual([]);
    expect(await stored(id)).toHaveProperty('due');
    await set(id, 'claimed_until', Date.now() - 1);
    await stack.work('mail', [{ invite_id: id }]);
    expect(await stack.mailsTo(email)).toHaveLength(1);
  });

  it('never has more than five tokens, however often that happens, and its newest link works', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    ses.judge(() => 'lose answer');
    for (let time = 0; time < 6; time++) await stack.work('mail', [{ invite_id: id }]);
    ses.judge(() => 'pass');
    await stack.work('mail', [{ invite_id: id }]);
    expect((await stored(id)).token_hashes).toHaveLength(5);
    expect(await stack.mailsTo(email)).toHaveLength(7);
    expect((await open(await tokenFor(email))).status).toBe(200);
  });

  it('is mailed by the sweep if its message was lost', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    await set(id, 'status', 'accepted');
    await stack.drain('mail');
    await set(id, 'status', 'pending');
    // As if the invite were due.
    const { due, due_at } = await stored((await inviteOne(newAddress())).id);
    expect([due, due_at]).toEqual([expect.stringMatching(/^DUE#/), expect.any(String)]);
    await set(id, 'due', 'DUE#0');
    await set(id, 'due_at', new Date(Date.now() - 1).toISOString());
    await stack.invoke('due/sweep', {});
    await stack.drain('mail');
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect(await statusOf(id)).toBe('sent');
  });
});

describe('a mail', () => {
  it('has the inviter as Reply-To if a staff member sent the invite, and none for an integration', async () => {
    await inviteAndMail(newAddress());
    expect(headerOf(await mailIn(ses.seen.at(-1)), 'Reply-To')).toBe('owner@masthead.example');
    await inviteAndMail(newAddress(), keys.integration);
    expect(headerOf(await mailIn(ses.seen.at(-1)), 'Reply-To')).toBeUndefined();
  });

  it('shows the name of the publication and the address of the sender as From', async () => {
    await inviteAndMail(newAddress());
    expect(ses.seen.at(-1)?.get('Source')).toBe(stack.sender);
    expect((await mailIn(ses.seen.at(-1))).from).toMatchObject({ name: 'The Daily Test', address: stack.sender });
  });

  it('asks programs for no automatic answer (RFC 3834), but not for silence about a failed delivery', async () => {
    await inviteAndMail(newAddress());
    const mail = await mailIn(ses.seen.at(-1));
    expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
    const suppressed = headerOf(mail, 'X-Auto-Response-Suppress')?.split(', ');
    expect(suppressed).toEqual(expect.arrayContaining(['OOF', 'AutoReply']));
    expect(suppressed).not.toContain('NDR');
    expect(suppressed).not.toContain('All');
  });

  it('is MIME with the text and the HTML, and the recipient and the subject as they are', async () => {
    const email = newAddress();
    await inviteAndMail(email);
    const mail = await mailIn(ses.seen.at(-1));
    expect(ses.seen.at(-1)?.get('Destinations.member.1')).toBe(email);
    expect(headerOf(mail, 'To')?.toLowerCase()).toBe(email.toLowerCase());
    const [stored] = await stack.mailsTo(email);
    expect([mail.text?.trim(), mail.html?.trim(), mail.subject]).toEqual([
      stored?.body.text?.trim(),
      stored?.body.html?.trim(),
      stored?.subject,
    ]);
    // Lines beyond 998 bytes would be cut (RFC 5322, 2.1.1).
    const source = Buffer.from(ses.seen.at(-1)?.get('RawMessage.Data') ?? '', 'base64').toString('latin1');
    expect(Math.max(...source.split('\r\n').map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect(source.replaceAll('\r\n', '')).not.toMatch(/[\r\n]|[^\x20-\x7e\t]/);
    expect(stored).toMatchObject({ source: expect.stringContaining('Auto-Submitted: auto-generated') });
  });
});
