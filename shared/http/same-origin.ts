/** Refuses changes that a page of another origin requests with a session's cookie. */
import { baseUrl } from '../foundation/environment.ts';
import { NoPermissionError } from '../foundation/errors.ts';
import { readSessionCookie } from './cookie.ts';
import type { HttpRequest } from './request.ts';

/**
 * Throws for a change whose `Origin` is missing or not the API's. Browsers send it with all but GET and HEAD, and pages
 * cannot change it (https://fetch.spec.whatwg.org/#origin-header).
 * @throws NoPermissionError
 */
export const requireSameOrigin = ({ method, headers: { origin } }: HttpRequest): void => {
  if (method === 'GET' || method === 'HEAD' || origin === new URL(baseUrl()).origin) return;
  throw new NoPermissionError(
    origin === undefined
      ? 'A change in a session needs the header `Origin`.'
      : 'A change in a session must come from a page of the same origin.',
    { help: 'Use the console, or send a token of an Admin API key as `Authorization: Ghost <token>`.' },
  );
};

/**
 * As `requireSameOrigin`, for requests that begin a session. Without cookie and `Origin` it is no browser, so no page
 * can sign its visitor in to another account.
 * @throws NoPermissionError
 */
export const refuseOtherOrigins = (request: HttpRequest): void => {
  if (request.headers.origin !== undefined || readSessionCookie(request.headers) !== undefined)
    requireSameOrigin(request);
};
