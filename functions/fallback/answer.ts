/** Answers what no endpoint handles: CORS preflight, 405 or 404. No answer repeats the path: it may have a token. */
import { baseUrl, settings } from '../../shared/foundation/environment.ts';
import { MethodNotAllowedError, NotFoundError } from '../../shared/foundation/errors.ts';
import { shortened } from '../../shared/http/body.ts';
import { renderingHandler } from '../../shared/http/endpoint.ts';
import { readRequest } from '../../shared/http/request.ts';
import { preflight } from '../../shared/http/response.ts';
import { allowedMethods } from '../../shared/http/routes.ts';

export const handler = renderingHandler('fallback/answer', async (event) => {
  const request = readRequest(event);
  const { method, headers } = request;
  const allow = allowedMethods(request.path, basePath(event.requestContext?.stage));
  const page = method === 'GET' ? pageOfLink(request.path) : undefined;
  if (page !== undefined) return { status: 302, headers: { Location: `${baseUrl()}${page}` } };
  if (method === 'OPTIONS' && allow.length > 0) return preflight(headers, allow, settings().allowedOrigins);
  if (allow.length > 0 && !allow.includes(method))
    throw new MethodNotAllowedError(`${shortened(method)} is not supported for this path.`, allow, {
      help: `Supported methods: ${allow.join(', ')}.${whereListed(request.path)}`,
    });
  throw new NotFoundError('Unknown path.', {
    context:
      'Masthead implements these parts of the Ghost Admin API: staff, invites, roles, webhooks, integrations and the ' +
      'site.',
    help:
      `The paths of the Admin API start with ${baseUrl()}/admin/. The documentation lists them: ` +
      `${baseUrl()}/admin/docs/`,
  });
});

/** Says where webhooks are listed, which have no list of their own, as at Ghost. */
const whereListed = (path: string): string =>
  /\/admin\/webhooks(\/[0-9a-f]{24})?\/?$/.test(path)
    ? ` Webhooks are listed inside their integrations: GET ${baseUrl()}/admin/integrations/?include=webhooks`
    : '';

/** Returns the page of a mail's link that came with further characters, by its token alone. `#` may come encoded. */
const pageOfLink = (path: string): string | undefined => {
  const [, view] = /\/console\/(?:%23|#)(\/[\w/-]*)/i.exec(path) ?? [];
  if (view !== undefined) return `/console/#${view}`;
  const [, name, token] = /\/(invitation|sign-in)(?:\/([\w-]*)|$)/.exec(path) ?? [];
  return name === undefined ? undefined : `/${name}/${token || '-'}/`;
};

/** Returns the base path; the stage name is in the base URL, but not in the path of an event. */
const basePath = (stage: string | undefined): string => {
  const { pathname } = new URL(baseUrl());
  return pathname.startsWith(`/${stage}/`) ? pathname.slice(`/${stage}`.length) : pathname;
};
