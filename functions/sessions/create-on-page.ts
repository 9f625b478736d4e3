/** `POST /sign-in/{token}/`: the form of the page behind a sign-in link. It works once, and leads to the console. */
import { settings } from '../../shared/foundation/environment.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { isOwnForm, readForm } from '../../shared/http/form.ts';
import { consoleUrl } from '../../shared/publication/page.ts';
import { signedInPerson } from '../../shared/sign-in/browser.ts';
import { failurePage, insteadField, insteadPage } from '../../shared/sign-in/page.ts';
import { memberOfLink, signIn } from '../../shared/sign-in/sign-in.ts';

const { publication } = settings();

export const handler = openEndpoint({
  line: 'sessions/create-on-page',
  failure: (error) => failurePage(publication, error),
  handle: async ({ request, now }) => {
    const token = request.params.token ?? '';
    const form = readForm(request);
    if (!isOwnForm(request)) throw new BadRequestError('The form must come from the page behind the link.');
    const member = await memberOfLink(token, now);
    const current = await signedInPerson(request.headers);
    if (current !== undefined && current.staffId !== member.id && !form.has(insteadField))
      return insteadPage(publication, current, member.name);
    const { cookies } = await signIn(token, request.headers, now);
    return { status: 303, headers: { Location: consoleUrl() }, cookies };
  },
});
