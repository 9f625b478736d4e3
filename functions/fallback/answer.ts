/** Answers whatever no endpoint answers: CORS preflight, 405 on a known path, 404 elsewhere. */
import { type ContractLine, contract } from '../../shared/contract.ts';
import { baseUrl, settings } from '../../shared/foundation/environment.ts';
import { MethodNotAllowedError, NotFoundError } from '../../shared/foundation/errors.ts';
import { defaultBodyLimit, readBody, shortened } from '../../shared/http/body.ts';
import { rendered } from '../../shared/http/endpoint.ts';
import { readRequest } from '../../shared/http/request.ts';
import { preflight } from '../../shared/http/response.ts';
import { allowedMethods } from '../../shared/http/routes.ts';

/** The most that any endpoint takes: what is at this path is not known yet when the body is read. */
const bodyLimit = Math.max(
  ...(contract as readonly ContractLine[]).map(
    (line) => (line.kind === 'endpoint' && line.bodyLimit) || defaultBodyLimit,
  ),
);

export const handler = rendered('fallback/answer', async (event) => {
  const request = readRequest(event);
  const { method, headers } = request;
  const path = shortened(request.path);
  if (method !== 'GET' && method !== 'HEAD') readBody(request, bodyLimit);
  const allow = allowedMethods(request.path, basePath(event.requestContext?.stage));
  if (method === 'OPTIONS' && allow.length > 0) return preflight(headers, allow, settings().allowedOrigins);
  if (allow.length > 0 && !allow.includes(method))
    throw new MethodNotAllowedError(`${shortened(method)} is not answered at \`${path}\`.`, allow, {
      help: `Send ${allow.join(' or ')}.`,
    });
  throw new NotFoundError(`There is nothing at \`${path}\`.`, {
    help: `Paths of the Admin API are ${baseUrl()}/admin/…; the OpenAPI document lists them all.`,
  });
});

/** The stage's name stands in the base URL, but not in the path of an event. */
const basePath = (stage: string | undefined): string => {
  const { pathname } = new URL(baseUrl());
  return pathname.startsWith(`/${stage}/`) ? pathname.slice(`/${stage}`.length) : pathname;
};
