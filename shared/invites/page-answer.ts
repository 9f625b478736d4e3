/** The responses with the invitation's page: their status, and their policy for the browser. */
import type { MastheadError } from '../foundation/errors.ts';
import type { Settings } from '../foundation/settings.ts';
import type { HttpResponse } from '../http/response.ts';
import { answerPage, consoleUrl } from '../publication/page.ts';
import type { Dead } from './accept.ts';
import { deadPage, expiredPage, failedPage, joinedPage, type PageFailure } from './page.ts';

type Publication = Settings['publication'];

/** Returns 404 for a link that never existed, 410 for one that no longer works. */
export const answerDead = (publication: Publication, link: Dead): HttpResponse =>
  link.state === 'expired'
    ? answerPage(publication, 410, expiredPage(publication, link.invite))
    : answerPage(publication, link.state === 'unknown' ? 404 : 410, deadPage(publication, link.state, consoleUrl()));

/** Returns the page for the person who has accepted, after a reload. */
export const answerJoined = (publication: Publication): HttpResponse =>
  answerPage(publication, 200, joinedPage(publication, consoleUrl()));

/** Returns the page for a request that failed: because of the request, or because of an internal error. */
export const answerFailed = (publication: Publication, error: MastheadError): HttpResponse => {
  const answer = answerPage(publication, error.status, failedPage(publication, failureOf(error)));
  return { ...answer, headers: { ...answer.headers, ...error.headers } };
};

const failureOf = ({ status }: MastheadError): PageFailure => {
  if (status === 429 || status >= 500) return 'ours';
  return status === 413 ? 'too large' : 'unreadable';
};
