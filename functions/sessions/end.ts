/** `DELETE /admin/session/{id}/`: ends a session of the caller, such as one on a lost device. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { endSession, readSession } from '../../shared/accounts/session-store.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import type { SessionId } from '../../shared/foundation/ids.ts';
import { clearedSession } from '../../shared/http/cookie.ts';
import { noContent } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'sessions/end',
  handle: async ({ caller, id }) => {
    const { staffId, sessionId } = staffOnly(caller);
    const session = await readSession(staffId, id<SessionId>());
    if (session === undefined)
      throw new NotFoundError('You have no session with this id.', { help: 'GET /admin/session/ lists them.' });
    await endSession(session, caller);
    return session.id === sessionId ? { ...noContent(), cookies: [clearedSession()] } : noContent();
  },
});
