/** `POST /admin/session/`: requests a mail with a sign-in link; the response is the same for every address. */
import * as example from '../../shared/accounts/example.ts';
import { readBrowserCookie } from '../../shared/http/cookie.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { refuseOtherOrigins } from '../../shared/http/same-origin.ts';
import { requestSignIn } from '../../shared/sign-in/request.ts';
import { newSignIn, signInResource } from '../../shared/sign-in/schema.ts';

export const handler = openEndpoint({
  line: 'sessions/request',
  body: { root: 'sessions', item: newSignIn, max: 1 },
  answer: { status: 202, root: 'sessions', item: signInResource },
  handle: async ({ request, items: [{ email }], now, reply }) => {
    refuseOtherOrigins(request);
    const browser = readBrowserCookie(request.headers);
    await requestSignIn(email, { sourceIp: request.sourceIp, browser }, now);
    return reply([{ email }]);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'Request a sign-in link',
  description:
    'If the address belongs to a staff member, a mail brings a link that works once, for 15 minutes. ' +
    'If it has an open invitation, the mail of the invitation comes again. ' +
    'The response is the same for every address. Requests are limited per address and per source address, whether ' +
    'the address is known or not.',
  errors: [example.otherOrigin],
  examples: {
    request: { summary: 'Ada signs in', body: [{ email: example.email }], answer: [{ email: example.email }] },
    again: { summary: 'Another link', body: [{ email: example.email }], answer: [{ email: example.email }] },
    third: { summary: 'And another one', body: [{ email: example.email }], answer: [{ email: example.email }] },
    unknown: {
      summary: 'An address that no staff member has',
      body: [{ email: 'stranger@example.com' }],
      answer: [{ email: 'stranger@example.com' }],
    },
  },
});
