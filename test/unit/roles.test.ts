/** Who can assign which role, for every caller and every role (docs/compatibility.md, "Roles"). */
import { describe, expect, it } from 'vitest';
import { assignableRoles, roleId } from '../../shared/accounts/role.ts';
import type { Caller } from '../../shared/foundation/caller.ts';
import { ghostRoles } from '../../shared/foundation/ghost-roles.ts';
import type { ApiKeyId, IntegrationId, StaffId } from '../../shared/foundation/ids.ts';

const staff = (role: string): Caller => ({
  kind: 'staff',
  keyId: '1'.repeat(24) as ApiKeyId,
  staffId: '2'.repeat(24) as StaffId,
  role,
  name: 'Olive',
  email: 'olive@example.com',
});
const integration: Caller = {
  kind: 'integration',
  keyId: '1'.repeat(24) as ApiKeyId,
  integrationId: '3'.repeat(24) as IntegrationId,
};

/** The table in docs/compatibility.md, "Roles". */
const columns = ['Administrator', 'Super Editor', 'Editor', 'Author', 'Contributor'];
const table: readonly (readonly [string, Caller, readonly boolean[]])[] = [
  ['Owner', staff('Owner'), [true, true, true, true, true]],
  ['Administrator', staff('Administrator'), [true, true, true, true, true]],
  ['integration key', integration, [false, true, true, true, true]],
  ['Super Editor', staff('Super Editor'), [false, false, false, true, true]],
  ['Editor', staff('Editor'), [false, false, false, true, true]],
  ['Author', staff('Author'), [false, false, false, false, false]],
  ['Contributor', staff('Contributor'), [false, false, false, false, false]],
  ['an unknown role', staff('Janitor'), [false, false, false, false, false]],
  ['an internal role', staff('Admin Integration'), [false, false, false, false, false]],
  ['a property of objects', staff('constructor'), [false, false, false, false, false]],
  ['a role of the stage called integration', staff('integration'), [false, false, false, false, false]],
];
const names: readonly string[] = ghostRoles.map(({ name }) => name);
const cells = table.flatMap(([who, caller, row]) =>
  names.map((name) => ({ who, caller, name, may: row[columns.indexOf(name)] ?? false })),
);

describe('who can assign which role', () => {
  it('is tested for ten roles', () => {
    expect(new Set(names).size).toBe(10);
    expect(cells).toHaveLength(110);
  });

  it.each(cells)('$who → $name: $may', ({ caller, name, may }) => {
    expect(assignableRoles(caller, []).includes(name)).toBe(may);
  });

  it('uses role ids that never change and differ for each role', () => {
    const ids = names.map(roleId);
    expect(new Set(ids).size).toBe(10);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(names.map(roleId)).toEqual(ids);
  });

  it.each([
    ['Owner', staff('Owner'), ['by no one else', 'by editors', 'by integrations']],
    ['Administrator', staff('Administrator'), ['by no one else', 'by editors', 'by integrations']],
    ['Super Editor', staff('Super Editor'), []],
    ['Editor', staff('Editor'), ['by editors']],
    ['integration key', integration, ['by integrations']],
    ['a role of the stage called integration', staff('integration'), []],
    ['Author', staff('Author'), []],
  ])('lets %s assign those roles of the stage that its settings allow', (_, caller, given) => {
    const own = [
      { name: 'by no one else', description: '', assignableBy: [] },
      { name: 'by editors', description: '', assignableBy: ['Editor' as const] },
      { name: 'by integrations', description: '', assignableBy: ['integration' as const] },
    ];
    expect(assignableRoles(caller, own).filter((name) => name.startsWith('by '))).toEqual(given);
  });
});
