/** `DELETE /admin/users/{id}/`: removes a staff member with all keys, which voids the open invites of that member (`shared/invites/current.ts`). */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { dismissStaffMember } from '../../shared/accounts/manage-staff.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/delete',
  knowsMe: true,
  handle: async ({ id, caller }) => {
    await dismissStaffMember(id<StaffId>(), caller);
    return noContent();
  },
});
