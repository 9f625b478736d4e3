/** Roles: which exist, and who can assign which (docs/compatibility.md, "Roles"). */

import * as v from 'valibot';
import type { Caller } from '../foundation/caller.ts';
import { sha256 } from '../foundation/hash.ts';
import type { RoleId } from '../foundation/ids.ts';
import { field, idSchema, type Resource, timeSchema } from '../foundation/resource.ts';
import type { Settings } from '../foundation/settings.ts';

/** Roles that the stage defines in addition to Ghost's. */
export type CustomRoles = Settings['roles'];

export const roleResource = v.strictObject({
  id: field(idSchema<RoleId>(), 'The id of the role: the `role_id` of invites.'),
  name: field(v.string(), 'The name of the role.', 'Editor'),
  description: field(v.string(), 'A description for people.', 'Editors'),
  created_at: field(timeSchema, 'When the role was created.'),
  updated_at: field(timeSchema, 'When the role was last updated.'),
});

export type Role = Resource<typeof roleResource>;

/** Returns the id of a role: derived from its name, so that seeding twice changes nothing. */
export const roleId = (name: string): RoleId => sha256(`role:${name}`).slice(0, 24) as RoleId;

const byEditors = ['Author', 'Contributor'];
const byIntegrations = ['Super Editor', 'Editor', ...byEditors];
const byAdministrators = ['Administrator', ...byIntegrations];

/** Returns the names of the roles that the caller can assign: Ghost's by Ghost's rules, the stage's own by its settings. */
export const assignableRoles = (caller: Caller, custom: CustomRoles): readonly string[] => {
  const customBy = (isAllowed: (role: CustomRoles[number]) => boolean): string[] =>
    custom.filter(isAllowed).map(({ name }) => name);
  if (caller.kind === 'integration')
    return [...byIntegrations, ...customBy(({ assignableBy }) => assignableBy.includes('integration'))];
  const { role } = caller;
  switch (role) {
    case 'Owner':
    case 'Administrator':
      return [...byAdministrators, ...customBy(() => true)];
    case 'Super Editor':
    case 'Editor':
      return [...byEditors, ...customBy(({ assignableBy }) => assignableBy.includes(role))];
    default:
      return [];
  }
};
