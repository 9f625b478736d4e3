/** `GET /admin/users/{id}/`: returns a staff member, on request with the role; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findStaffMember } from '../../shared/accounts/manage-staff.ts';
import { showUsers } from '../../shared/accounts/show-users.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/read',
  knowsMe: true,
  handle: async ({ request: { query }, id, caller }) => {
    const member = await findStaffMember(id<StaffId>(), caller);
    return ok({ users: await showUsers([member], query) });
  },
});
