/** `GET /invitation/{token}/`: the page behind a mail's link. It changes nothing: mail scanners open links too. */
import { settings } from '../../shared/foundation/environment.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { lookUp } from '../../shared/invites/accept.ts';
import * as example from '../../shared/invites/example.ts';
import { formPage } from '../../shared/invites/page.ts';
import { answerDead, answerFailed, answerJoined } from '../../shared/invites/page-answer.ts';
import { answerPage } from '../../shared/publication/page.ts';
import { inReadersLanguage } from '../../shared/publication/page-wording.ts';
import { signedInPerson } from '../../shared/sign-in/browser.ts';

export const handler = openEndpoint({
  line: 'invites/show-page',
  failure: (error, headers) => answerFailed(inReadersLanguage(settings().publication, headers), error),
  answer: { status: 200, contentType: 'text/html' },
  handle: async ({ request }) => {
    const publication = inReadersLanguage(settings().publication, request.headers);
    const link = await lookUp(request.params.token ?? '');
    if (link.state === 'open') return answerPage(publication, 200, formPage(publication, link.invite));
    const person = link.state === 'used' ? await signedInPerson(request.headers) : undefined;
    const isOwn = link.state === 'used' && person !== undefined && person.staffId === link.invite.accepted_by;
    return isOwn ? answerJoined(publication) : answerDead(publication, link);
  },
});

export const documentation = (): Documentation => ({
  tag: 'Acceptance',
  summary: 'Open the invitation page',
  description:
    'The target of the link in the mail. Opening the page does not use the invitation. Errors are pages too.',
  what: 'The page with the form.',
  errors: [example.unknownLink, example.deadLink],
  examples: {
    open: {
      summary: 'An open invitation',
      path: { token: example.token('grace@example.com') },
    },
    used: { summary: 'A used link', path: { token: example.token('Ada@example.com') }, status: 410 },
  },
});
