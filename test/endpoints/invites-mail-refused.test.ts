/** The mailer when SES does not accept a mail: which mails it retries, and when. */
import { afterEach, describe, expect, it } from 'vitest';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';
import { sesFront } from '../support/ses-front.ts';

const stack = await freshStack();
const ses = await sesFront(stack.parts.ses);
const keys = await stack.seed();
const { roles, invite, inviteOne, read, statusOf, stored } = await inviting(stack, keys);

const waiting = async (id: string) =>
  (await stack.messages('mail')).filter(({ body, delaySeconds }) => body.invite_id === id && delaySeconds > 0);

afterEach(async () => {
  ses.judge(() => 'pass');
  await stack.drain('mail');
});

describe('a mail that SES does not send', () => {
  it('waits longer each time if SES throttles, and its token is not stored', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    ses.judge(() => ({ code: 'Throttling', message: 'Maximum sending rate exceeded.' }));
    expect(await stack.work('mail', [{ invite_id: id }])).toEqual([]);
    const [first] = await waiting(id);
    expect(first?.body).toEqual({ invite_id: id, waits: 1 });
    expect(first?.delaySeconds).toBeGreaterThanOrEqual(2);
    expect(first?.delaySeconds).toBeLessThanOrEqual(4);
    const kept = await stored(id);
    expect(kept).toMatchObject({ status: 'pending', token_hashes: [] });
    expect(kept.claimed_until).toBeUndefined();
    expect(Date.parse(kept.due_at ?? '')).toBeGreaterThan(Date.now() + 60_000);

    await stack.work('mail', [{ invite_id: id, waits: 5 }]);
    const [, later] = await waiting(id);
    expect(later?.delaySeconds).toBeGreaterThanOrEqual(64);

    ses.judge(() => 'pass');
    await stack.work('mail', [first?.body]);
    await stack.work('mail', [later?.body]);
    expect(await stack.mailsTo(email)).toHaveLength(1);
    expect(await statusOf(id)).toBe('sent');
  });

  it('is recorded as bounced with the reason if SES refuses the address, and is not retried', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    ses.judge(() => ({ code: 'MessageRejected', message: `Address ${email} is blacklisted.` }));
    await stack.drain('mail');
    expect(await waiting(id)).toEqual([]);
    const { body } = await read(id);
    expect(body.invites[0].status).toBe('bounced');
    expect(body.invites[0].history.at(-1)).toEqual({
      status: 'bounced',
      at: expect.any(String),
      reason: 'MessageRejected: Address <address> is blacklisted.',
    });
    expect(await stored(id)).not.toHaveProperty('due');
  });

  it('waits in the queue if the sender is not verified', async () => {
    const { id } = await inviteOne(newAddress());
    ses.judge(() => ({
      code: 'MessageRejected',
      message:
        'Email address is not verified. The following identities failed the check in region EU-CENTRAL-1: ' +
        `${stack.sender}`,
    }));
    expect(await stack.work('mail', [{ invite_id: id }])).toEqual([]);
    expect(await statusOf(id)).toBe('pending');
    expect(await waiting(id)).toHaveLength(1);
  });

  // SES returns the same error for every mail of a paused account as for a bad address.
  it.each(['paused', 'suspended'])('waits in the queue if the account is %s', async (state) => {
    const { id } = await inviteOne(newAddress());
    ses.judge(() => ({
      code: 'MessageRejected',
      message:
        `Sending ${state} for this account. For more information, please check the inbox of the email address ` +
        'associated with your AWS account.',
    }));
    expect(await stack.work('mail', [{ invite_id: id }])).toEqual([]);
    expect(await statusOf(id)).toBe('pending');
    expect(await waiting(id)).toHaveLength(1);
  });

  it('is recorded as bounced if the recipient is not verified in the sandbox', async () => {
    const email = newAddress();
    const { id } = await inviteOne(email);
    ses.judge(() => ({
      code: 'MessageRejected',
      message:
        'Email address is not verified. The following identities failed the check in region ' +
        `EU-CENTRAL-1: ${email}`,
    }));
    await stack.drain('mail');
    expect(await statusOf(id)).toBe('bounced');
  });

  it.each(['no answer', { code: 'InternalFailure', message: 'We are sorry.' }] as const)(
    'is retried with its token kept if SES may have sent it after all (%o)',
    async (verdict) => {
      const { id } = await inviteOne(newAddress());
      ses.judge(() => verdict);
      expect(await stack.work('mail', [{ invite_id: id }])).toEqual([]);
      expect(await waiting(id)).toHaveLength(1);
      const kept = await stored(id);
      expect(kept.status).toBe('pending');
      expect(kept.token_hashes).toHaveLength(1);
    },
  );

  it('does not delay other mails of the batch', async () => {
    const [bad, good] = [newAddress(), newAddress()];
    const { body } = await invite([bad, good].map((email) => ({ email, role_id: roles.Author })));
    ses.judge((fields) =>
      fields.get('Destinations.member.1') === bad ? { code: 'Throttling', message: 'no' } : 'pass',
    );
    await stack.drain('mail');
    expect(await stack.mailsTo(good)).toHaveLength(1);
    expect(await statusOf(body.invites[1].id)).toBe('sent');
    expect(await statusOf(body.invites[0].id)).toBe('pending');
  });
});
