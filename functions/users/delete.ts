/** `DELETE /admin/users/{id}/`: removes a staff member with all keys, and voids the open invites of that member. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { dismissStaffMember } from '../../shared/accounts/manage-staff.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { type Documentation, forbidden } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/delete',
  knowsMe: true,
  answer: { status: 204 },
  handle: async ({ id, caller, reply }) => {
    await dismissStaffMember(id<StaffId>(), caller);
    return reply();
  },
});

export const documentation = (): Documentation => ({
  tag: 'Staff',
  summary: 'Remove a staff member',
  description:
    'The keys of the member are invalid, the address is free, and the open invites that the member sent are revoked. ' +
    'The removal is published as `staff.removed`.',
  errors: [forbidden('the Owner cannot be removed')],
  examples: { remove: { summary: 'Ada leaves', path: { id: example.id } } },
});
