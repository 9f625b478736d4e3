/** `GET /admin/users/{id}/`: returns a staff member, on request with the role; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findStaffMember } from '../../shared/accounts/manage-staff.ts';
import { rolesIfIncluded } from '../../shared/accounts/role-store.ts';
import { presentUser } from '../../shared/accounts/staff-member.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/read',
  knowsMe: true,
  handle: async ({ request: { query }, id, caller }) => {
    const member = await findStaffMember(id<StaffId>(), caller);
    return ok({ users: [presentUser(member, await rolesIfIncluded(query))] });
  },
});
