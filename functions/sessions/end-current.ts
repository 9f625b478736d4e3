/** `DELETE /admin/session/`: signs out by ending the session of the request and removing its cookie. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import { endSession, readSession } from '../../shared/accounts/session-store.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import { clearedSession } from '../../shared/http/cookie.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'sessions/end-current',
  answer: { status: 204 },
  handle: async ({ caller, reply }) => {
    const { staffId, sessionId } = staffOnly(caller);
    if (sessionId === undefined)
      throw new NotFoundError('The request has no session: it was made with a key.', {
        help: 'End a session by its id: GET /admin/session/ lists them.',
      });
    const session = await readSession(staffId, sessionId);
    if (session !== undefined) await endSession(session, caller);
    return reply(undefined, { cookies: [clearedSession()] });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'Sign out',
  description:
    'Ends the session of the request and removes its cookie. Environments that have cached the session accept it for ' +
    'a few seconds more.',
  errors: [notFound('the request was made with a key, without a session')],
  examples: { 'sign-out': { summary: 'Ada signs out', caller: 'session' } },
});
