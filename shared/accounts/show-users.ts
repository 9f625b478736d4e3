/** Shows staff members as clients see them: with their last use, and on request with their roles. */
import { lastUses } from './last-use.ts';
import type { UserResource } from './resource.ts';
import { rolesIfIncluded } from './role-store.ts';
import { presentUser, type StaffMember } from './staff-member.ts';

/** Returns the members in their order; `query` can have `include`. */
export const showUsers = async (
  members: readonly StaffMember[],
  query: Readonly<Record<string, string | undefined>>,
): Promise<UserResource[]> => {
  const [uses, roles] = await Promise.all([lastUses(members.map(({ id }) => id)), rolesIfIncluded(query)]);
  return members.map((member) => presentUser(member, uses.get(member.id), roles));
};
