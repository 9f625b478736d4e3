/** `GET /invitation/{token}/`: the page behind the link of a mail. Opening it changes nothing, because mail scanners open links too. */
import { settings } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { lookUp } from '../../shared/invites/accept.ts';
import { formPage } from '../../shared/invites/page.ts';
import { answerDead, answerFailed, answerJoined } from '../../shared/invites/page-answer.ts';
import { answerPage } from '../../shared/publication/page.ts';
import { signedInPerson } from '../../shared/sign-in/browser.ts';

const { publication } = settings();

export const handler = openEndpoint({
  line: 'invites/show-page',
  failure: (error) => answerFailed(publication, error),
  handle: async ({ request }) => {
    const link = await lookUp(request.params.token ?? '');
    if (link.state === 'open') return answerPage(publication, 200, formPage(publication, link.invite));
    const person = link.state === 'used' ? await signedInPerson(request.headers) : undefined;
    const isOwn = link.state === 'used' && person !== undefined && person.staffId === link.invite.accepted_by;
    return isOwn ? answerJoined(publication) : answerDead(publication, link.state);
  },
});
