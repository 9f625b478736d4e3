/** Changes of a staff member during another's change or removal: each is made on the state that it was decided on. */
import { beforeEach, describe, expect, it } from 'vitest';
import { apiKeyKey } from '../../shared/accounts/api-key-store.ts';
import { roleId } from '../../shared/accounts/role.ts';
import type { Session } from '../../shared/accounts/session.ts';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import type { ApiKeyId, SessionId, StaffId } from '../../shared/foundation/ids.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { dismissStaffMember, renewStaffKey, updateStaffMember } = await import('../../shared/accounts/manage-staff.ts');
const { addStaffKey, staffKey, verifyAddress } = await import('../../shared/accounts/staff-store.ts');
const { endSession } = await import('../../shared/accounts/session-store.ts');
const { auditSources } = await import('../../shared/audit/store.ts');
const { tryWrite } = await import('../../shared/table/conditional.ts');
const { transact } = await import('../../shared/table/transaction.ts');

const [adaId, ownerId] = ['a', 'b'].map((letter) => letter.repeat(24)) as [StaffId, StaffId];
const [first, second] = ['1', '2'].map((digit) => digit.repeat(24)) as [ApiKeyId, ApiKeyId];
const ada: StaffMember = {
  id: adaId,
  name: 'Ada',
  email: 'ada@example.com',
  role: 'Administrator',
  created_at: '2026-11-21T09:00:00.000Z',
  key_ids: [first],
};
const owner: Caller = { kind: 'staff', staffId: ownerId, role: 'Owner', name: 'Max', email: 'max@example.com' };
const key = staffKey(adaId);
const renewMeanwhile = () => {
  aws.erase(apiKeyKey(first));
  aws.put(apiKeyKey(second), { id: second, secret: 's' });
  aws.change(key, { key_ids: [second] });
};
const audited = async (): Promise<string[]> => {
  const range = { from: '', to: '~', limit: 100 };
  const pages = await Promise.all(auditSources.map((read) => read(range)));
  return pages.flatMap(({ entries }) => entries.map(({ action }) => action));
};

beforeEach(() => {
  aws.put({ pk: 'ROLES', sk: 'ROLE#editor' }, { id: roleId('Editor'), name: 'Editor' });
  aws.put(key, ada);
  aws.put(apiKeyKey(first), { id: first, secret: 's' });
});

describe('a staff member', () => {
  it('who is demoted while a colleague changes the name stays demoted', async () => {
    aws.before('TransactWriteCommand', () => aws.change(key, { role: 'Contributor' }), 1);
    const after = await updateStaffMember(adaId, { name: 'Ada Lovelace' }, owner);
    expect(after).toMatchObject({ name: 'Ada Lovelace', role: 'Contributor' });
    expect(aws.read(key)).toMatchObject({ name: 'Ada Lovelace', role: 'Contributor' });
  });

  it('who changes the name while a colleague changes the role keeps the new name', async () => {
    aws.before('TransactWriteCommand', () => aws.change(key, { name: 'Ada Lovelace' }), 1);
    const after = await updateStaffMember(adaId, { roles: [roleId('Editor')] }, owner);
    expect(after).toMatchObject({ name: 'Ada Lovelace', role: 'Editor' });
    expect(aws.read(key)).toMatchObject({ name: 'Ada Lovelace', role: 'Editor' });
  });

  it('who becomes the Owner while a colleague removes the member is not removed', async () => {
    aws.before('TransactWriteCommand', () => aws.change(key, { role: 'Owner' }), 1);
    await expect(dismissStaffMember(adaId, owner)).rejects.toThrow('The Owner cannot be removed.');
    expect(aws.read(key)).toMatchObject({ role: 'Owner' });
  });

  it('has one valid token after two renewals at the same time', async () => {
    aws.before('TransactWriteCommand', renewMeanwhile, 1);
    const { key: renewed } = await renewStaffKey(adaId, owner);
    expect(aws.read(key).key_ids).toEqual([renewed.id]);
    for (const old of [first, second]) expect(aws.read(apiKeyKey(old))).toBeUndefined();
    expect(aws.read(apiKeyKey(renewed.id))).toMatchObject({ secret: renewed.secret });
  });

  it('leaves no valid token behind if it is renewed while the member is removed', async () => {
    aws.before('TransactWriteCommand', renewMeanwhile, 1);
    await dismissStaffMember(adaId, owner);
    expect(aws.read(key)).toBeUndefined();
    for (const old of [first, second]) expect(aws.read(apiKeyKey(old))).toBeUndefined();
  });

  it.each([
    ['gets another token', () => tryWrite(transact([addStaffKey(adaId, second)]))],
    ['proves the address', () => tryWrite(transact([verifyAddress(adaId)]))],
  ])('who %s after the removal is not there again', async (_, change) => {
    aws.erase(key);
    await change();
    expect(aws.read(key)).toBeUndefined();
  });
});

it('a session that is ended twice is one entry of the audit log', async () => {
  const session = { id: 's'.repeat(24) as SessionId, staff_id: adaId, device: 'Firefox' } as Session;
  const sessionKey = { pk: `SESSION#${adaId}`, sk: `SESSION#${session.id}` };
  aws.put(sessionKey, session);
  await endSession(session, owner);
  await endSession(session, owner);
  expect(aws.read(sessionKey)).toBeUndefined();
  expect(await audited()).toEqual(['session.ended']);
});
