/** Roles: which exist, and who can assign which (docs/compatibility.md, "Roles"). */
import { sha256 } from '../foundation/hash.ts';
import type { RoleId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';

export type CustomRoles = Settings['roles'];

/** Returns the id of a role: derived from its name, so that seeding twice changes nothing. */
export const roleId = (name: string): RoleId => sha256(`role:${name}`).slice(0, 24) as RoleId;

const byEditors = ['Author', 'Contributor'];
const byIntegrations = ['Super Editor', 'Editor', ...byEditors];
const byAdministrators = ['Administrator', ...byIntegrations];

/** Whoever assigns a role: the caller of a request, or the inviter of an invite. */
export type Assigner = { readonly kind: 'integration' } | { readonly kind: 'staff'; readonly role: string };

/** Returns the roles that an assigner can give: Ghost's by Ghost's rules, the stage's own by `assignableBy`. */
export const assignableRoles = (assigner: Assigner, custom: CustomRoles): readonly string[] => {
  const customBy = (isAllowed: (role: CustomRoles[number]) => boolean): string[] =>
    custom.filter(isAllowed).map(({ name }) => name);
  if (assigner.kind === 'integration')
    return [...byIntegrations, ...customBy(({ assignableBy }) => assignableBy.includes('integration'))];
  const { role } = assigner;
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

/** Returns the roles of staff members that can assign this role. */
export const rolesThatAssign = (role: string, custom: CustomRoles): readonly string[] =>
  ['Owner', 'Administrator', 'Super Editor', 'Editor'].filter((one) =>
    assignableRoles({ kind: 'staff', role: one }, custom).includes(role),
  );

/** Ghost's roles, lowest first. A role of the stage ranks as Contributor. */
const ranks = ['Contributor', 'Author', 'Editor', 'Super Editor', 'Administrator', 'Owner'];

/** Returns the rank of a role: a higher number has more rights. */
export const rankOf = (role: string): number => Math.max(0, ranks.indexOf(role));

/** Returns the rank of an assigner. An integration can assign what is below an Administrator. */
export const rankOfAssigner = (assigner: Assigner): number =>
  rankOf(assigner.kind === 'staff' ? assigner.role : 'Super Editor');

/** Whether an assigner is the Owner or an Administrator. */
export const isAdministrator = (assigner: Assigner): boolean =>
  assigner.kind === 'staff' && (assigner.role === 'Owner' || assigner.role === 'Administrator');
