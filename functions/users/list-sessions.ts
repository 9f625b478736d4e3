/** `GET /admin/users/{id}/sessions/`: lists the sessions of a staff member, newest first; `me` is the caller. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findStaffMember } from '../../shared/accounts/manage-staff.ts';
import { showSessions } from '../../shared/accounts/show-sessions.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/list-sessions',
  knowsMe: true,
  handle: async ({ id, caller, now }) => {
    const member = await findStaffMember(id<StaffId>(), caller);
    return ok({ sessions: await showSessions(member.id, caller, now) });
  },
});
