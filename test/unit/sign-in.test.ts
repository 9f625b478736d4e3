/** The mail with a sign-in link: its content, when it is sent again, and when it is not sent. */
import { describe, expect, it } from 'vitest';
import { deviceOf } from '../../shared/accounts/device.ts';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { Mail, MailOutcome } from '../../shared/aws/mail.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { type Reserved, reserveTurns } from '../../shared/limits/rate.ts';
import type { SignInMessage } from '../../shared/sign-in/schema.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { publication } from '../support/invitation.ts';
import { seenText } from '../support/seen-text.ts';
import { signInTokenIn } from '../support/sessions.ts';
import { settingsText } from '../support/settings-text.ts';

const baseUrl = 'https://desk.owl.example.org/ghost/api';
const aws = awsInMemory();
Object.assign(process.env, { ...aws.environment, SETTINGS: settingsText(), BASE_URL: baseUrl });
const { staffKey } = await import('../../shared/accounts/staff-store.ts');
const { maxWaitMs: maxWaitOfInvitesMs } = await import('../../shared/invites/send.ts');
const { signInMail } = await import('../../shared/sign-in/mail.ts');
const { mailSignIn } = await import('../../shared/sign-in/send.ts');
const { readSignIn } = await import('../../shared/sign-in/store.ts');
const { hashOfToken } = await import('../../shared/sign-in/token.ts');

const member: StaffMember = {
  id: '019acb5a70d1a1b2c3d4e5f8' as StaffId,
  name: 'Ada',
  email: 'ada@example.net',
  role: 'Editor',
  created_at: '2026-11-21T09:24:00.000Z',
};

describe('the sign-in mail', () => {
  const link = `${baseUrl}/sign-in/${'x'.repeat(43)}/`;

  it.each([
    ['en', 'Sign in to The Daily Owl', ['for ada@example.net', 'works once', '15 minutes']],
    ['de', 'Anmeldung bei The Daily Owl', ['für ada@example.net', 'nur einmal', '15 Minuten']],
  ] as const)('says in %s, in text and HTML, whose link it is and how long it works', (language, subject, facts) => {
    const mail = signInMail(member, link, publication({ language }));
    expect(mail).toMatchObject({ to: member.email, subject });
    for (const part of [mail.text, seenText(mail.html)])
      for (const fact of [...facts, subject, link]) expect(part).toContain(fact);
    expect(mail.html).toContain(`lang="${language}"`);
  });

  it('cannot be changed by markup or line breaks in names and addresses', () => {
    const mail = signInMail(
      { ...member, email: 'ada+<b>@example.net' },
      link,
      publication({ name: 'Owl\r\nBcc: eve@example.net <img src=x>' }),
    );
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.html).not.toMatch(/<b>|<img/);
  });
});

const requestedAt = Date.parse('2026-11-21T09:30:00Z');
const message: SignInMessage = { sign_in: { staff_id: member.id, requested_at: requestedAt, waits: 0 } };

/** Sends the mail of a message, with this member, these turns and this answer of SES. */
const given = async ({
  isMember = true,
  now = requestedAt,
  turns = [requestedAt] as readonly number[],
  reserve = async (_wanted: number, _now: number, _horizonMs: number): Promise<Reserved> => ({
    turns,
    waitMs: turns.length === 0 ? 60_000 : 0,
    state: undefined,
  }),
  outcome = { kind: 'accepted', messageId: 'm' } as MailOutcome,
  sent = message,
} = {}) => {
  const steps: string[] = [];
  if (isMember) aws.put(staffKey(member.id), member);
  await mailSignIn(
    {
      takeTurns: (wanted, from, horizonMs) => {
        steps.push('turn');
        return reserve(wanted, from, horizonMs);
      },
      sendMail: async ({ text }: Mail) => {
        const link = await readSignIn(hashOfToken(signInTokenIn(text) ?? expect.fail()), now);
        steps.push(link?.staffId === member.id ? 'sent a link that works' : 'sent a link that is unknown');
        return outcome;
      },
      wait: async () => {},
      clock: () => now,
    },
    sent,
  );
  return { steps, later: aws.sent().map(({ body, delaySeconds }) => [body.sign_in, delaySeconds]) };
};

describe('the mailer of sign-in links', () => {
  it('stores the hash of the token in the mail before it calls SES', async () => {
    expect(await given()).toEqual({ steps: ['turn', 'sent a link that works'], later: [] });
  });

  it('does nothing for an unknown member, or more than 15 minutes after the request', async () => {
    expect((await given({ isMember: false })).steps).toEqual([]);
    expect((await given({ now: requestedAt + 15 * 60_000 + 1 })).steps).toEqual([]);
  });

  it.each(['throttled', 'refused', 'unknown'] as const)('tries again after a while if SES answers %s', async (kind) => {
    const { later } = await given({ outcome: { kind, reason: 'busy' } });
    expect(later).toEqual([[{ ...message.sign_in, waits: 1 }, 10]]);
    const sent = { sign_in: { ...message.sign_in, waits: 3 } };
    expect((await given({ outcome: { kind, reason: 'busy' }, sent })).later[0]?.[1]).toBe(80);
  });

  it('does not try again if SES rejects the address', async () => {
    expect((await given({ outcome: { kind: 'rejected', reason: 'no such address' } })).later).toEqual([]);
  });

  it.each([1, 14, 500])(
    'gets a turn although invitations have reserved all that they can, at %d mails a second',
    async (perSecond) => {
      const rate = { perSecond, perDay: null };
      const { state } = reserveTurns(undefined, 10_000, requestedAt, maxWaitOfInvitesMs, rate);
      const { steps } = await given({ reserve: async (...wanted) => reserveTurns(state, ...wanted, rate) });
      expect(steps).toEqual(['turn', 'sent a link that works']);
    },
  );

  it('tries again when a turn may be free', async () => {
    const { steps, later } = await given({ turns: [] });
    expect(steps).toEqual(['turn']);
    expect(later).toEqual([[{ ...message.sign_in, waits: 1 }, 60]]);
  });
});

describe('the description of a device by its user agent', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140.0 Mobile/15E148 Safari/604.1', 'Chrome on iOS'],
    ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    ['curl/8.5.0', 'curl'],
    [`${'x'.repeat(5000)}\r\n`, 'x'.repeat(40)],
    ['', null],
    [undefined, null],
  ])('is found: %s', (userAgent, description) => {
    expect(deviceOf(userAgent)).toBe(description);
  });
});
