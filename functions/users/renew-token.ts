/** `PUT /admin/users/{id}/token/`: gives a staff member a new access token, whose secret is not returned again; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { renewStaffKey } from '../../shared/accounts/manage-staff.ts';
import { presentStaffToken } from '../../shared/accounts/staff-token.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/renew-token',
  knowsMe: true,
  handle: async ({ id, caller }) => {
    const { member, key } = await renewStaffKey(id<StaffId>(), caller);
    return ok({ apiKey: presentStaffToken(member, key) });
  },
});
