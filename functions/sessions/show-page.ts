/** `GET /sign-in/{token}/`: the page behind a sign-in link. It changes nothing: mail scanners open links too. */
import * as example from '../../shared/accounts/example.ts';
import { settings } from '../../shared/foundation/environment.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { contactPage, findContactLink } from '../../shared/integrations/contact.ts';
import { inReadersLanguage } from '../../shared/publication/page-wording.ts';
import { confirmPage, failurePage } from '../../shared/sign-in/page.ts';
import { findLink } from '../../shared/sign-in/sign-in.ts';

export const handler = openEndpoint({
  line: 'sessions/show-page',
  failure: (error, headers) => failurePage(inReadersLanguage(settings().publication, headers), error),
  answer: { status: 200, contentType: 'text/html' },
  handle: async ({ request, now }) => {
    const { token = '' } = request.params;
    const publication = inReadersLanguage(settings().publication, request.headers);
    const contact = await findContactLink(token, now);
    return contact === undefined
      ? confirmPage(publication, await findLink(token, now))
      : contactPage(publication, contact);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Sessions',
  summary: 'Open the sign-in page',
  description:
    'The target of the link in the mail. Opening the page uses nothing. The link to the contact of an integration ' +
    'leads here, too. Errors are pages too.',
  what: 'The page with the button.',
  errors: [example.deadLink],
  examples: {
    open: { summary: 'The link of Ada', path: { token: example.signInTokens[2] } },
    unknown: { summary: 'An unknown link', path: { token: 'x' }, status: 404 },
  },
});
