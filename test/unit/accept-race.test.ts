/** An invite is accepted only if its inviter can still assign the role and its link is valid at the commit. */
import { expect, it } from 'vitest';
import { addressKey } from '../../shared/accounts/address.ts';
import { lossesBetween } from '../../shared/accounts/lost-roles.ts';
import { staffKey } from '../../shared/accounts/staff-store.ts';
import { ServiceUnavailableError } from '../../shared/foundation/errors.ts';
import type { IntegrationId, StaffId } from '../../shared/foundation/ids.ts';
import type { Invite } from '../../shared/invites/invite.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { invite } from '../support/invitation.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { accept } = await import('../../shared/invites/accept.ts');
const { inviteKey } = await import('../../shared/invites/store.ts');
const { newToken } = await import('../../shared/invites/token.ts');

// Before the invitation expires.
stopTime(Date.parse(invite().created_at));

const inviterId = 'a'.repeat(24) as StaffId;
const integrationId = 'b'.repeat(24) as IntegrationId;
const inviter = { id: inviterId, name: 'Max', email: 'max@example.com', role: 'Administrator', created_at: '' };
const integrationKey = { pk: `INTEGRATION#${integrationId}`, sk: 'INTEGRATION' };

/** An open invite in the table; returns its token. */
const given = (changes: Partial<Invite>): string => {
  const open = invite({ status: 'sent', ...changes });
  const { token, hash } = newToken(open.id);
  const address = { email: open.email.toLowerCase(), holder: 'invite', invite_id: open.id };
  aws.put(staffKey(inviterId), inviter);
  aws.put(integrationKey, { id: integrationId });
  aws.put(inviteKey(open.id), { ...open, token_hashes: [hash] });
  aws.put(addressKey(open.email), address);
  return token;
};
const demotedAt = Date.parse(invite().created_at) + 1;
const byStaff = { role: 'Administrator', invited_by: { kind: 'staff', staff_id: inviterId } } as const;
const byIntegration = { role: 'Editor', invited_by: { kind: 'integration', integration_id: integrationId } } as const;

it.each([
  ['a staff member is removed', byStaff, () => aws.erase(staffKey(inviterId))],
  ['a staff member is demoted', byStaff, () => aws.change(staffKey(inviterId), { role: 'Editor' })],
  [
    'a staff member is demoted and gets the role back',
    byStaff,
    () => aws.change(staffKey(inviterId), { ...lossesBetween('Administrator', 'Editor', [], demotedAt) }),
  ],
  ['an integration is being deleted', byIntegration, () => aws.change(integrationKey, { deleting_since: 'now' })],
] as const)('no member is created if %s during the accept', async (_, changes, loseRight) => {
  const token = given(changes);
  aws.before('TransactWriteCommand', loseRight, 1);
  expect(await accept({ token, name: 'Mallory' })).toEqual({ state: 'revoked' });
});

it('no member is created if a resend invalidates the link during the accept', async () => {
  const token = given(byStaff);
  const { id } = invite({});
  const resend = () => {
    const { token_hashes } = aws.read(inviteKey(id));
    aws.change(inviteKey(id), { mailing: 2, status: 'pending', token_hashes: [], old_token_hashes: token_hashes });
  };
  aws.before('TransactWriteCommand', resend, 1);
  expect(await accept({ token, name: 'Mallory' })).toEqual({ state: 'superseded' });
});

it.each([
  ['a staff member', byStaff],
  ['an integration', byIntegration],
] as const)('a member is created if the inviter, %s, can still assign the role', async (_, changes) => {
  expect(await accept({ token: given(changes), name: 'Ada' })).toMatchObject({ state: 'accepted' });
});

it('is not taken for done by an accept without an answer if another person has used the link', async () => {
  const token = given(byStaff);
  const { email } = invite({});
  aws.before('TransactWriteCommand', () =>
    aws.put(addressKey(email), { email: email.toLowerCase(), holder: 'staff', staff_id: 'e'.repeat(24) }),
  );
  aws.fail('TransactWriteCommand');
  await expect(accept({ token, name: 'Mallory' })).rejects.toThrow(ServiceUnavailableError);
});

it('is done by an accept whose answer is lost', async () => {
  const token = given(byStaff);
  aws.fail('TransactWriteCommand', { after: true });
  expect(await accept({ token, name: 'Ada' })).toMatchObject({ state: 'accepted', member: { name: 'Ada' } });
});
