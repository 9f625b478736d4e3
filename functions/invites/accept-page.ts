/**
 * `POST /invitation/{token}/`: the form of the page behind the link; it works once.
 *
 * It needs no protection against forged requests of other sites: the token is the only credential, and no cookie takes part.
 */
import { settings } from '../../shared/foundation/environment.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import { oneLine } from '../../shared/foundation/text.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { accept, lookUp } from '../../shared/invites/accept.ts';
import { maxNameLength } from '../../shared/invites/acceptance.ts';
import { acceptedPage, formPage, type NameProblem } from '../../shared/invites/page.ts';
import { answerDead, answerFailed, answerPage } from '../../shared/invites/page-answer.ts';

const { publication } = settings();

export const handler = openEndpoint({
  line: 'invites/accept-page',
  failure: (error) => answerFailed(publication, error),
  handle: async ({ request }) => {
    const token = request.params.token ?? '';
    const name = oneLine(readForm(request).get('name') ?? '');
    const link = await lookUp(token);
    if (link.state !== 'open') return answerDead(publication, link.state);
    const problem = problemOf(name);
    if (problem !== undefined)
      return answerPage(
        publication,
        422,
        formPage(publication, link.invite, { name: name.slice(0, maxNameLength), problem }),
      );
    const end = await accept({ token, name });
    return end.state === 'accepted'
      ? answerPage(publication, 200, acceptedPage(publication, link.invite, name))
      : answerDead(publication, end.state);
  },
});

/** Reads the fields of the form. @throws BadRequestError for any other Content-Type */
const readForm = ({ headers, body }: HttpRequest): URLSearchParams => {
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new BadRequestError('The body is not a form: its Content-Type is not `application/x-www-form-urlencoded`.');
  return new URLSearchParams(body.toString('utf8'));
};

const problemOf = (name: string): NameProblem | undefined => {
  if (name === '') return 'missing';
  return name.length > maxNameLength ? 'too long' : undefined;
};
