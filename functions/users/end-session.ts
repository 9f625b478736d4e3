/** `DELETE /admin/users/{id}/sessions/{session_id}/`: ends a session of a staff member, such as one on a lost device. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { findChangeable } from '../../shared/accounts/manage-staff.ts';
import { endSession, readSession } from '../../shared/accounts/session-store.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { noContent } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'users/end-session',
  knowsMe: true,
  handle: async ({ id, caller }) => {
    const member = await findChangeable(id<StaffId>(), caller);
    const session = await readSession(member.id, id('session_id'));
    if (session === undefined)
      throw new NotFoundError(`The staff member has no session with the id \`${id('session_id')}\`.`, {
        help: `GET /admin/users/${member.id}/sessions/ lists them.`,
      });
    await endSession(session, caller);
    return noContent();
  },
});
