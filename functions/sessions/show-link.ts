/** `POST /admin/session/link/`: returns whom a sign-in link signs in, so that the page can ask first. It does not use the link. */
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { refuseOtherOrigins } from '../../shared/http/same-origin.ts';
import { newSession } from '../../shared/sign-in/schema.ts';
import { memberOfLink } from '../../shared/sign-in/sign-in.ts';

export const handler = openEndpoint({
  line: 'sessions/show-link',
  body: () => ({ root: 'sessions', item: newSession, max: 1 }),
  handle: async ({ request, items: [{ token }], now }) => {
    refuseOtherOrigins(request);
    const { id, name, email } = await memberOfLink(token, now);
    return ok({ links: [{ user_id: id, name, email }] });
  },
});
