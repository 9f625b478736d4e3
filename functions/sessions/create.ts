/** `PUT /admin/session/`: exchanges the token of a sign-in link for a session and its cookie; a token works once. */
import { presentSession, sessionMs } from '../../shared/accounts/session.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import { sessionCookie } from '../../shared/http/cookie.ts';
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
    const begun = await signIn(token, request.headers['user-agent'], now);
    if (begun === undefined)
      throw new NotFoundError('The token is unknown, was used or has expired.', {
        property: 'token',
        help: 'Request another link with POST /admin/session/.',
      });
    const { session, cookie } = begun;
    return created({ sessions: [presentSession(session, session.id)] }, sessionCookie(cookie, sessionMs));
  },
});
