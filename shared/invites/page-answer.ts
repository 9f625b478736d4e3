/** The responses with the invitation's page: their status, and their policy for the browser. */
import { baseUrl } from '../foundation/environment.ts';
import type { MastheadError } from '../foundation/errors.ts';
import type { Settings } from '../foundation/settings.ts';
import { type HttpResponse, page } from '../http/response.ts';
import type { DeadLink } from './accept.ts';
import { deadPage, failedPage, type PageFailure } from './page.ts';
import { contentSecurityPolicy } from './page-style.ts';

type Publication = Settings['publication'];

/** Returns a page that is never cached, framed, indexed or sent as a referrer, because its address contains the token. */
export const answerPage = (publication: Publication, status: number, html: string): HttpResponse => {
  const answer = page(html, status);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'Content-Security-Policy': contentSecurityPolicy(publication),
      'X-Robots-Tag': 'noindex, nofollow',
    },
  };
};

/** Returns 404 for a link that never existed, 410 for one that no longer works. */
export const answerDead = (publication: Publication, state: DeadLink): HttpResponse =>
  answerPage(publication, state === 'unknown' ? 404 : 410, deadPage(publication, state, `${baseUrl()}/console/`));

/** Returns the page for a request that failed: because of the request, or because of an internal error. */
export const answerFailed = (publication: Publication, error: MastheadError): HttpResponse => {
  const answer = answerPage(publication, error.status, failedPage(publication, failureOf(error)));
  return { ...answer, headers: { ...answer.headers, ...error.headers } };
};

const failureOf = ({ status }: MastheadError): PageFailure => {
  if (status === 429 || status >= 500) return 'ours';
  return status === 413 ? 'too large' : 'unreadable';
};
