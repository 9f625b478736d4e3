/** The answers that carry the invitation's page: status, and what the browser may do with it. */
import type { MastheadError } from '../foundation/errors.ts';
import type { Settings } from '../foundation/settings.ts';
import { type HttpResponse, page } from '../http/response.ts';
import type { DeadLink } from './accept.ts';

import { deadPage, failedPage, type PageFailure } from './page.ts';
import { contentSecurityPolicy } from './page-style.ts';

type Publication = Settings['publication'];

/** Never cached, framed or indexed, and its address is told to no other site: it holds the token. */
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

/** 404 for what was never a link, 410 for what was one. */
export const answerDead = (publication: Publication, state: DeadLink): HttpResponse =>
  answerPage(publication, state === 'unknown' ? 404 : 410, deadPage(publication, state));

/** Our own fault, or a request that no form of ours has sent; the page says which. */
export const answerFailed = (publication: Publication, error: MastheadError): HttpResponse => {
  const answer = answerPage(publication, error.status, failedPage(publication, failureOf(error)));
  return { ...answer, headers: { ...answer.headers, ...error.headers } };
};

const failureOf = ({ status }: MastheadError): PageFailure => {
  if (status >= 500) return 'ours';
  return status === 413 ? 'too large' : 'unreadable';
};
