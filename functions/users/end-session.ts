/** `DELETE /admin/users/{id}/sessions/{session_id}/`: ends a staff member's session, such as on a lost device. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { findChangeable } from '../../shared/accounts/manage-staff.ts';
import { endSession, readSession } from '../../shared/accounts/session-store.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import { type Documentation, forbidden } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'users/end-session',
  knowsMe: true,
  answer: { status: 204 },
  handle: async ({ id, caller, reply }) => {
    const member = await findChangeable(id<StaffId>(), caller);
    const session = await readSession(member.id, id('session_id'));
    if (session === undefined)
      throw new NotFoundError(`The staff member has no session with the id \`${id('session_id')}\`.`, {
        help: `GET /admin/users/${member.id}/sessions/ lists them.`,
      });
    await endSession(session, caller);
    return reply();
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'End a session of a staff member',
  description: 'Such as one on a lost device. Only the Owner ends those of the Owner.',
  errors: [forbidden('only the Owner can change the Owner')],
  examples: {
    end: { summary: 'A device that Ada has lost', path: { id: example.id, session_id: example.second.id } },
  },
});
