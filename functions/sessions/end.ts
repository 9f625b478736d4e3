/** `DELETE /admin/session/{id}/`: ends a session of the caller, such as one on a lost device. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/accounts/example.ts';
import { endSession, readSession } from '../../shared/accounts/session-store.ts';
import { staffOnly } from '../../shared/foundation/caller.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import type { SessionId } from '../../shared/foundation/ids.ts';
import { clearedSession } from '../../shared/http/cookie.ts';
import type { Documentation } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'sessions/end',
  answer: { status: 204 },
  handle: async ({ caller, id, reply }) => {
    const { staffId, sessionId } = staffOnly(caller);
    const session = await readSession(staffId, id<SessionId>());
    if (session === undefined)
      throw new NotFoundError('You have no session with this id.', { help: 'GET /admin/session/ lists them.' });
    await endSession(session, caller);
    return reply(undefined, session.id === sessionId ? { cookies: [clearedSession()] } : {});
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'End one of one’s own sessions',
  description: 'Such as one on a lost device.',
  examples: {
    end: { summary: 'Another device', caller: 'session', path: { id: example.first.id } },
  },
});
