/** `GET /admin/session/`: lists the sessions of the caller, newest first. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { lastUses } from '../../shared/accounts/last-use.ts';
import { presentSession } from '../../shared/accounts/session.ts';
import { listSessions } from '../../shared/accounts/session-store.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'sessions/list',
  handle: async ({ caller, now }) => {
    const { staffId, sessionId } = staffOnly(caller);
    const sessions = await listSessions(staffId, now);
    const uses = await lastUses(sessions.map(({ id }) => id));
    return ok({ sessions: sessions.map((session) => presentSession(session, sessionId, uses.get(session.id))) });
  },
});
