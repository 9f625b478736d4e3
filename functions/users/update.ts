/** `PUT /admin/users/{id}/`: changes the name or the role of a staff member; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { updateStaffMember } from '../../shared/accounts/manage-staff.ts';
import { showUsers } from '../../shared/accounts/show-users.ts';
import { userChanges } from '../../shared/accounts/staff-schema.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/update',
  knowsMe: true,
  body: () => ({ root: 'users', item: userChanges, max: 1, sameIdAsPath: true }),
  handle: async ({ request: { query }, id, items: [changes], caller }) => {
    const member = await updateStaffMember(id<StaffId>(), changes, caller);
    return ok({ users: await showUsers([member], query) });
  },
});
