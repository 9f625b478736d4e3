/** `DELETE /admin/users/{id}/`: removes a staff member with all keys, and revokes the open invites of that member. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { dismissStaffMember } from '../../shared/accounts/manage-staff.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';
import { revokeInvitesOf } from '../../shared/invites/manage.ts';

export const handler = endpoint({
  line: 'users/delete',
  knowsMe: true,
  handle: async ({ id, caller }) => {
    const { email } = await dismissStaffMember(id<StaffId>(), caller);
    await revokeInvitesOf(email);
    return noContent();
  },
});
