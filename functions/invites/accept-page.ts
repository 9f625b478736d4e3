/**
 * `POST /invitation/{token}/`: the form of the page behind the link; it works once, and signs the new staff member in.
 *
 * Accepting needs no protection against forged requests of other sites: the token is the only credential. Signing in does: another site
 * could sign its visitor in to an account of its own, so that the cookie is set for the form of this page only.
 */

import * as v from 'valibot';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import { log } from '../../shared/aws/log.ts';
import { baseUrl, settings } from '../../shared/foundation/environment.ts';
import { BadRequestError } from '../../shared/foundation/errors.ts';
import { maxNameLength } from '../../shared/foundation/fields.ts';
import { personName } from '../../shared/foundation/person-name.ts';
import { isBlank, oneLine } from '../../shared/foundation/text.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import type { HttpRequest } from '../../shared/http/request.ts';
import { accept, lookUp } from '../../shared/invites/accept.ts';
import { acceptedPage, formPage, type NameProblem } from '../../shared/invites/page.ts';
import { answerDead, answerFailed, answerPage } from '../../shared/invites/page-answer.ts';
import { beginIn } from '../../shared/sign-in/begin.ts';
import { transact } from '../../shared/table/transaction.ts';

const { publication } = settings();

export const handler = openEndpoint({
  line: 'invites/accept-page',
  failure: (error) => answerFailed(publication, error),
  handle: async ({ request, now }) => {
    const token = request.params.token ?? '';
    const typed = readForm(request).get('name') ?? '';
    const name = oneLine(typed);
    const link = await lookUp(token);
    if (link.state !== 'open') return answerDead(publication, link.state);
    const problem = problemOf(typed);
    if (problem !== undefined)
      return answerPage(
        publication,
        422,
        formPage(publication, link.invite, { name: [...name].slice(0, maxNameLength).join(''), problem }),
      );
    const end = await accept({ token, name });
    if (end.state !== 'accepted') return answerDead(publication, end.state);
    const answer = answerPage(publication, 200, acceptedPage(publication, link.invite, name, `${baseUrl()}/console/`));
    return { ...answer, cookies: await signedIn(end.member, request, now) };
  },
});

/**
 * Returns the cookies of a session, or none if the form is not this page's, or the table did not answer: the member has joined, and can sign in by mail.
 * `Origin` does not show where the form comes from, because the page has `Referrer-Policy: no-referrer`.
 */
const signedIn = async (member: StaffMember, { headers }: HttpRequest, now: number): Promise<readonly string[]> => {
  if (headers['sec-fetch-site'] !== 'same-origin') return [];
  const { writes, cookies } = beginIn(headers, member, now);
  try {
    await transact(writes);
    return cookies;
  } catch (error) {
    log.warn('A new staff member could not be signed in', { error });
    return [];
  }
};

/** Reads the fields of the form. @throws BadRequestError for any other Content-Type */
const readForm = ({ headers, body }: HttpRequest): URLSearchParams => {
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new BadRequestError('The body is not a form: its Content-Type is not `application/x-www-form-urlencoded`.');
  return new URLSearchParams(body.toString('utf8'));
};

const problemOf = (name: string): NameProblem | undefined => {
  if (isBlank(name)) return 'missing';
  if ([...oneLine(name)].length > maxNameLength) return 'too long';
  return v.is(personName, name) ? undefined : 'not plain';
};
