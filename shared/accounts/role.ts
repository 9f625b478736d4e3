/** Roles: which there are, and who may give which (wire contract, "Who may invite whom"). */
import { createHash } from 'node:crypto';
import type { Caller } from '../foundation/caller.ts';
import type { RoleId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';

/** Roles of the stage's own, beside Ghost's. */
export type CustomRoles = Settings['roles'];

export interface Role {
  readonly id: RoleId;
  readonly name: string;
  readonly description: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The ten roles of Ghost; the integration roles are internal and never given. */
export const ghostRoles: readonly Pick<Role, 'name' | 'description'>[] = [
  { name: 'Administrator', description: 'Administrators' },
  { name: 'Editor', description: 'Editors' },
  { name: 'Author', description: 'Authors' },
  { name: 'Contributor', description: 'Contributors' },
  { name: 'Owner', description: 'Site owner' },
  { name: 'Super Editor', description: 'Editors who may also manage members' },
  { name: 'Admin Integration', description: 'External applications' },
  { name: 'Ghost Explore Integration', description: 'Internal integration for the explore directory' },
  { name: 'Self-Serve Migration Integration', description: 'Internal integration for migrations' },
  { name: 'Scheduler Integration', description: 'Internal integration for scheduled publishing' },
];

/** The same name has the same id in every run of the seed, so that seeding twice changes nothing. */
export const roleId = (name: string): RoleId =>
  createHash('sha256').update(`role:${name}`).digest('hex').slice(0, 24) as RoleId;

const editors = ['Author', 'Contributor'];
const integrations = ['Super Editor', 'Editor', ...editors];
const administrators = ['Administrator', ...integrations];

/** Names of the roles that the caller may give: Ghost's by the contract, the stage's own by its settings. */
export const assignableRoles = (caller: Caller, custom: CustomRoles): readonly string[] => {
  const ofStage = (mayGive: (role: CustomRoles[number]) => boolean): string[] =>
    custom.filter(mayGive).map(({ name }) => name);
  if (caller.kind === 'integration')
    return [...integrations, ...ofStage(({ givenBy }) => givenBy.includes('integration'))];
  const { role } = caller;
  switch (role) {
    case 'Owner':
    case 'Administrator':
      return [...administrators, ...ofStage(() => true)];
    case 'Super Editor':
    case 'Editor':
      return [...editors, ...ofStage(({ givenBy }) => givenBy.includes(role))];
    default:
      return [];
  }
};

/** The five fields of the contract. */
export const presentRole = ({ id, name, description, created_at, updated_at }: Role): Role => ({
  id,
  name,
  description,
  created_at,
  updated_at,
});
