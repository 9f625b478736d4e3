/** Shows staff members as clients see them: with their last use, and on request with their roles. */
import { includes } from '../http/query.ts';
import { lastUses } from './last-use.ts';
import type { UserResource } from './resource.ts';
import { listRoles } from './role-store.ts';
import { presentUser, type StaffMember } from './staff-member.ts';

export const included = includes(['roles'], 'What to include: `roles`.', 'roles');

/** Returns the members in their order, with what is included. */
export const showUsers = async (
  members: readonly StaffMember[],
  include: readonly 'roles'[],
): Promise<UserResource[]> => {
  const [uses, roles] = await Promise.all([
    lastUses(members.map(({ id }) => id)),
    include.includes('roles') ? listRoles() : undefined,
  ]);
  return members.map((member) => presentUser(member, uses.get(member.id), roles));
};
