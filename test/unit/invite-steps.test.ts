/** The steps of an invite in the table: each is written only if the invite is still in the state that it expects. */
import { describe, expect, it } from 'vitest';
import type { InviteId } from '../../shared/foundation/ids.ts';
import type { Invite } from '../../shared/invites/invite.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { iso, minute, now } from '../support/deliver-in-memory.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const {
  beginMailing,
  claimInvite,
  forgetDue,
  inviteKey,
  markReplaced,
  markRevoked,
  noteFeedback,
  noteMailed,
  postponeInvite,
  releaseInvite,
} = await import('../../shared/invites/store.ts');

const { addressKey } = await import('../../shared/accounts/address.ts');

const id = 'c'.repeat(24) as InviteId;
const key = inviteKey(id);
const read = {
  id,
  status: 'pending',
  mailing: 2,
  attempts: 1,
  token_hashes: ['first'],
  old_token_hashes: [],
  history: [],
} as unknown as Invite;

const claim = () => claimInvite(read, ['first', 'second'], now, now + minute);
const release = () => releaseInvite(read, ['first'], now + minute);
const mailed = () => noteMailed(read, { status: 'sent', at: iso(now) });
const postpone = () => postponeInvite(read, now + minute);
const forget = () => forgetDue(read);

describe.each([
  ['a claim', claim, {}],
  ['the release of a claim', release, { attempts: 2 }],
  ['the record of a mail', mailed, {}],
  ['a postponement', postpone, {}],
  ['the end of its due time', forget, {}],
] as const)('%s', (name, step, state) => {
  it('is written if the invite is still as it was read', async () => {
    aws.put(key, { ...read, ...state });
    expect(await step()).toBe(true);
  });

  it.each([
    ['was revoked', { status: 'revoked' }],
    ['has another mailing', { mailing: 3 }],
  ])('is not written if the invite %s in the meantime', async (_, changes) => {
    aws.put(key, { ...read, ...state, ...changes });
    const before = aws.read(key);
    expect(await step(), name).toBe(false);
    expect(aws.read(key)).toEqual(before);
  });
});

describe('a claim', () => {
  it('is refused if another worker has mailed the invite since, because its link would die', async () => {
    aws.put(key, { ...read, attempts: 2, token_hashes: ['first', 'another'] });
    expect(await claim()).toBe(false);
    expect(aws.read(key).token_hashes).toEqual(['first', 'another']);
  });

  it.each([
    [now - 1, true],
    [now, false],
    [now + 1, false],
  ])('of an invite that another worker claimed until %d succeeds: %s', async (claimed_until, isMade) => {
    aws.put(key, { ...read, claimed_until });
    expect(await claim()).toBe(isMade);
  });
});

it('a worker cannot release a claim that another worker has taken over', async () => {
  aws.put(key, { ...read, attempts: 3, claimed_until: now + minute });
  expect(await release()).toBe(false);
  expect(aws.read(key)).toMatchObject({ claimed_until: now + minute });
});

describe.each([
  ['a revocation', () => markRevoked(read, iso(now), false, [])],
  ['a replacement', () => markReplaced(id, iso(now))],
])('%s', (_, step) => {
  it.each([
    ['pending', true],
    ['sent', true],
    ['bounced', true],
    ['accepted', false],
    ['revoked', false],
    ['replaced', false],
  ])('of an invite with the status %s succeeds: %s', async (status, isMade) => {
    aws.put(key, { ...read, status });
    const before = aws.read(key);
    expect(await step()).toBe(isMade);
    if (!isMade) expect(aws.read(key)).toEqual(before);
  });
});

describe('another mailing', () => {
  const email = 'ada@example.com';
  const [soon, later] = [now / 1000 + 60, now / 1000 + 86_400];
  const open = { ...read, email } as Invite;
  const begin = () => beginMailing(open, { expires: later * 1000, expires_at: later }, iso(now), now + minute, []);
  const addressOf = (invite_id: InviteId) =>
    aws.put(addressKey(email), { email, holder: 'invite', invite_id, expires_at: soon });

  it('extends the address before the invite, so that no invite outlasts its address after a kill', async () => {
    aws.put(key, open);
    addressOf(id);
    const ends: unknown[] = [];
    aws.before('UpdateCommand', () => ends.push([aws.read(addressKey(email)).expires_at, aws.read(key).mailing]));
    expect(await begin()).toBe(true);
    expect(ends).toEqual([
      [soon, 2],
      [later, 2],
    ]);
    expect(aws.read(key)).toMatchObject({ status: 'pending', mailing: 3, attempts: 0, token_hashes: [] });
  });

  it('does not begin if the address cannot be kept', async () => {
    aws.put(key, open);
    addressOf(id);
    aws.fail('UpdateCommand', { error: new Error('The table refuses it.') });
    await expect(begin()).rejects.toThrow();
    expect(aws.read(key)).toMatchObject({ mailing: 2 });
  });

  it('does not begin if a worker has mailed another link since, which the page could not explain', async () => {
    aws.put(key, { ...open, attempts: 2, token_hashes: ['first', 'second'] });
    addressOf(id);
    expect(await begin()).toBe(false);
    expect(aws.read(key)).toMatchObject({ mailing: 2, token_hashes: ['first', 'second'] });
  });

  it('can be claimed at once, although the worker of the last mailing still has its claim', async () => {
    aws.put(key, { ...open, claimed_until: now + minute });
    addressOf(id);
    await begin();
    const current = aws.read(key) as Invite;
    expect(await claimInvite(current, ['third'], now, now + minute)).toBe(true);
    // What the worker of the last mailing still records is refused.
    expect(await release()).toBe(false);
    expect(await mailed()).toBe(false);
  });
});

describe('SES feedback', () => {
  const bounced = () => noteFeedback(id, 2, { status: 'bounced', at: iso(now), reason: 'Permanent' });
  const complained = () => noteFeedback(id, 2, { status: 'complained', at: iso(now) } as never);

  it.each([
    ['pending', 2, true, true],
    ['sent', 2, true, true],
    ['bounced', 2, false, true],
    ['accepted', 2, false, false],
    ['revoked', 2, false, false],
    ['sent', 3, false, false],
  ])(
    'about mailing 2, with the invite %s in mailing %d: bounce counts %s, complaint %s',
    async (status, mailing, one, other) => {
      aws.put(key, { ...read, status, mailing });
      expect(await bounced()).toBe(one);
      aws.put(key, { ...read, status, mailing });
      expect(await complained()).toBe(other);
    },
  );
});
