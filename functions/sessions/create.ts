/** `PUT /admin/session/`: exchanges the token of a sign-in link for a session and its cookie; a token works once. */
import { presentSession } from '../../shared/accounts/session.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { created } from '../../shared/http/response.ts';
import { refuseOtherOrigins } from '../../shared/http/same-origin.ts';
import { newSession } from '../../shared/sign-in/schema.ts';
import { signIn } from '../../shared/sign-in/sign-in.ts';

export const handler = openEndpoint({
  line: 'sessions/create',
  body: () => ({ root: 'sessions', item: newSession, max: 1 }),
  handle: async ({ request, items: [{ token }], now }) => {
    refuseOtherOrigins(request);
    const { session, cookies } = await signIn(token, request.headers, now);
    return { ...created({ sessions: [presentSession(session, session.id)] }), cookies };
  },
});
