/** `PUT /admin/session/`: exchanges the token of a sign-in link for a session and its cookie; a token works once. */
import * as example from '../../shared/accounts/example.ts';
import { sessionResource } from '../../shared/accounts/resource.ts';
import { presentSession } from '../../shared/accounts/session.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import { type Documentation, failure } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { refuseOtherOrigins } from '../../shared/http/same-origin.ts';
import { newSession } from '../../shared/sign-in/schema.ts';
import { signIn } from '../../shared/sign-in/sign-in.ts';

export const handler = openEndpoint({
  line: 'sessions/create',
  body: { root: 'sessions', item: newSession, max: 1 },
  answer: { status: 201, root: 'sessions', item: sessionResource },
  handle: async ({ request, items: [{ token }], now, reply }) => {
    refuseOtherOrigins(request);
    const { session, cookies } = await signIn(token, request.headers, now);
    return reply([presentSession(session, session.id)], { cookies });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'Sign in with the token of a link',
  description:
    'Sets the cookie `masthead_session` (`HttpOnly`, `Secure`, `SameSite=Strict`) for 12 hours, and ' +
    '`masthead_browser`, by which requests for further links are recognised. ' +
    'Their names begin with `__Host-` behind a domain of your own, and with `__Secure-` behind a host of AWS. ' +
    'The token is what follows `/sign-in/` in the link; it works once, and of two concurrent requests one succeeds.',
  errors: [
    example.otherOrigin,
    failure('NotFoundError', 'the token is unknown, was used or has expired', { property: 'token' }),
  ],
  examples: {
    'sign-in': {
      summary: 'Ada signs in',
      body: [{ token: example.signInTokens[0] }],
      answer: [example.first],
    },
    used: {
      summary: 'The same token again',
      body: [{ token: example.signInTokens[0] }],
      error: new NotFoundError('The token is unknown, was used or has expired.', {
        property: 'token',
        help: 'Request another link with POST /admin/session/.',
      }),
    },
    'another-device': {
      summary: 'Ada signs in again',
      body: [{ token: example.signInTokens[1] }],
      answer: [example.second],
    },
  },
});
