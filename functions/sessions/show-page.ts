/** `GET /sign-in/{token}/`: the page behind a sign-in link. Opening it changes nothing, because mail scanners open links too. */
import { settings } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { confirmPage, failurePage } from '../../shared/sign-in/page.ts';
import { memberOfLink } from '../../shared/sign-in/sign-in.ts';

const { publication } = settings();

export const handler = openEndpoint({
  line: 'sessions/show-page',
  failure: (error) => failurePage(publication, error),
  handle: async ({ request, now }) => confirmPage(publication, await memberOfLink(request.params.token ?? '', now)),
});
