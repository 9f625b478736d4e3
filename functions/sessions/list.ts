/** `GET /admin/session/`: lists the sessions of the caller, newest first. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { showSessions } from '../../shared/accounts/show-sessions.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { ok } from '../../shared/http/response.ts';

export const handler = endpoint({
  line: 'sessions/list',
  handle: async ({ caller, now }) => ok({ sessions: await showSessions(staffOnly(caller).staffId, caller, now) }),
});
