/** `POST /admin/session/`: requests a mail with a sign-in link; the response is the same for every address. */
import { readBrowserCookie } from '../../shared/http/cookie.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { accepted } from '../../shared/http/response.ts';
import { refuseOtherOrigins } from '../../shared/http/same-origin.ts';
import { requestSignIn } from '../../shared/sign-in/request.ts';
import { newSignIn } from '../../shared/sign-in/schema.ts';

export const handler = openEndpoint({
  line: 'sessions/request',
  body: () => ({ root: 'sessions', item: newSignIn, max: 1 }),
  handle: async ({ request, items: [{ email }], now }) => {
    refuseOtherOrigins(request);
    const browser = readBrowserCookie(request.headers);
    await requestSignIn(email, { sourceIp: request.sourceIp, browser }, now);
    return accepted({ sessions: [{ email }] });
  },
});
