/** `GET /invitation/{token}/`: the page behind the link of a mail. Opening it changes nothing, because mail scanners open links too. */
import { settings } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { lookUp } from '../../shared/invites/accept.ts';
import { formPage } from '../../shared/invites/page.ts';
import { answerDead, answerFailed, answerPage } from '../../shared/invites/page-answer.ts';

const { publication } = settings();

export const handler = openEndpoint({
  line: 'invites/show-page',
  failure: (error) => answerFailed(publication, error),
  handle: async ({ request }) => {
    const link = await lookUp(request.params.token ?? '');
    return link.state === 'open'
      ? answerPage(publication, 200, formPage(publication, link.invite))
      : answerDead(publication, link.state);
  },
});
