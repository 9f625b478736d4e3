/** The cache of API keys: entries live for four seconds, their number is limited, and unknown keys are not cached. */
import { describe, expect, it } from 'vitest';
import type { ApiKey } from '../../shared/accounts/api-key.ts';
import { apiKeyFinder } from '../../shared/accounts/find-api-key.ts';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { ApiKeyId, IntegrationId, StaffId } from '../../shared/foundation/ids.ts';

const idOf = (n: number) => n.toString(16).padStart(24, '0');

const integrationKey = (n: number): ApiKey => ({
  id: idOf(n) as ApiKeyId,
  secret: 'ab'.repeat(32),
  owner: { kind: 'integration', integration_id: idOf(1000 + n) as IntegrationId },
  created_at: '2026-01-01T00:00:00.000Z',
});

const staffKey = (n: number): ApiKey => ({
  ...integrationKey(n),
  owner: { kind: 'staff', staff_id: idOf(2000 + n) as StaffId },
});

const member = (n: number, role: string): StaffMember => ({
  id: idOf(2000 + n) as StaffId,
  name: 'Olive',
  email: 'olive@example.com',
  role,
  created_at: '2026-01-01T00:00:00.000Z',
});

const given = (keys: readonly ApiKey[], members: readonly StaffMember[] = []) => {
  const table = new Map(keys.map((key) => [key.id, key]));
  const staff = new Map(members.map((one) => [one.id, one]));
  const reads: string[] = [];
  let now = 1_800_000_000_000;
  let readMs = 0;
  const find = apiKeyFinder({
    readApiKey: async (id) => {
      reads.push(id);
      const key = table.get(id);
      now += readMs;
      return key;
    },
    readStaffMember: async (id) => staff.get(id),
    clock: () => now,
  });
  return {
    table,
    staff,
    reads,
    find: (n: number) => find(idOf(n) as ApiKeyId),
    pass: (ms: number) => {
      now += ms;
    },
    readFor: (ms: number) => {
      readMs = ms;
    },
  };
};

describe('the cache of API keys', () => {
  it('returns the secret and the caller', async () => {
    const { find } = given([integrationKey(1), staffKey(2)], [member(2, 'Editor')]);
    expect(await find(1)).toEqual({
      secret: 'ab'.repeat(32),
      caller: { kind: 'integration', keyId: idOf(1), integrationId: idOf(1001) },
    });
    expect((await find(2))?.caller).toEqual({
      kind: 'staff',
      keyId: idOf(2),
      staffId: idOf(2002),
      role: 'Editor',
      name: 'Olive',
      email: 'olive@example.com',
    });
  });

  it('reads a key at most once in four seconds', async () => {
    const { find, reads, pass } = given([integrationKey(1)]);
    await find(1);
    pass(3999);
    await find(1);
    expect(reads).toHaveLength(1);
    pass(1);
    await find(1);
    expect(reads).toHaveLength(2);
  });

  it('forgets a deleted key after four seconds', async () => {
    const { find, table, pass } = given([integrationKey(1)]);
    await find(1);
    table.clear();
    pass(4000);
    expect(await find(1)).toBeUndefined();
  });

  it('uses a changed role after four seconds', async () => {
    const { find, staff, pass } = given([staffKey(2)], [member(2, 'Administrator')]);
    await find(2);
    const changed = member(2, 'Author');
    staff.set(changed.id, changed);
    expect((await find(2))?.caller).toMatchObject({ role: 'Administrator' });
    pass(4000);
    expect((await find(2))?.caller).toMatchObject({ role: 'Author' });
  });

  it('counts the four seconds from the start of the read, however long the read takes', async () => {
    const { find, table, pass, readFor } = given([integrationKey(1)]);
    readFor(3000);
    await find(1);
    table.clear();
    pass(1000);
    expect(await find(1)).toBeUndefined();
  });

  it('forgets a removed member after four seconds', async () => {
    const { find, staff, pass } = given([staffKey(2)], [member(2, 'Administrator')]);
    await find(2);
    staff.clear();
    pass(4000);
    expect(await find(2)).toBeUndefined();
  });

  it('returns nothing for the key of a removed member', async () => {
    const { find } = given([staffKey(2)]);
    expect(await find(2)).toBeUndefined();
  });

  it('does not cache unknown ids, so that a new key works at once', async () => {
    const { find, table, reads } = given([]);
    expect(await find(1)).toBeUndefined();
    expect(await find(1)).toBeUndefined();
    expect(reads).toHaveLength(2);
    const key = integrationKey(1);
    table.set(key.id, key);
    expect(await find(1)).toBeDefined();
  });

  it('keeps 500 keys, and drops the oldest for a new one', async () => {
    const { find, reads } = given(Array.from({ length: 501 }, (_, n) => integrationKey(n)));
    for (let n = 0; n < 500; n++) await find(n);
    await find(0);
    expect(reads).toHaveLength(500);
    await find(500);
    await find(499);
    await find(1);
    expect(reads).toHaveLength(501);
    await find(0);
    expect(reads).toHaveLength(502);
  });
});
