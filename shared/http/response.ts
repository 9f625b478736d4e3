/** Responses of endpoints, and the headers of every response. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { currentApiVersion } from '../foundation/api-version.ts';

export interface HttpResponse {
  readonly status: number;
  /** An object is sent as JSON, a string unchanged; undefined is an empty body. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
}

export const ok = (body: object, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 200,
  body,
  headers,
});
export const created = (body: object, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
  status: 201,
  body,
  headers,
});
export const accepted = (body: object): HttpResponse => ({ status: 202, body });
export const noContent = (): HttpResponse => ({ status: 204 });
/** A page for people: not framed, and its address is not sent to other sites. */
export const page = (html: string, status = 200): HttpResponse => ({
  status,
  body: html,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
  },
});

/**
 * The response to OPTIONS: the methods of the path and, for an allowed origin, the approval of a CORS preflight with the
 * requested headers. Browsers block pages of other origins.
 */
export const preflight = (
  { origin, ...sent }: Readonly<Record<string, string | undefined>>,
  allow: readonly string[],
  allowedOrigins: readonly string[],
): HttpResponse => {
  const wanted = sent['access-control-request-headers'] ?? '';
  return {
    status: 204,
    headers: {
      Allow: allow.join(', '),
      ...(origin !== undefined &&
        allowedOrigins.includes(origin) && {
          'Access-Control-Allow-Methods': allow.join(', '),
          'Access-Control-Allow-Headers': /^[\w\-, ]+$/.test(wanted)
            ? wanted
            : 'Authorization, Content-Type, Accept-Version',
          'Access-Control-Max-Age': '600',
        }),
    },
  };
};

/** Returns the response for API Gateway; only origins that the stage allows receive CORS headers. */
export const writeResponse = (
  response: HttpResponse,
  origin: string | undefined,
  allowedOrigins: readonly string[],
): APIGatewayProxyResult => ({
  statusCode: response.status,
  headers: {
    ...(response.body !== undefined && { 'Content-Type': 'application/json; charset=utf-8' }),
    'Content-Version': currentApiVersion,
    Vary: 'Accept-Version, Origin',
    'Cache-Control': 'no-store',
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    'X-Content-Type-Options': 'nosniff',
    ...(origin !== undefined &&
      allowedOrigins.includes(origin) && {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': 'Content-Version, Location, Masthead-Ignored, Retry-After',
      }),
    ...response.headers,
  },
  ...((response.cookies ?? []).length > 0 && { multiValueHeaders: { 'Set-Cookie': [...(response.cookies ?? [])] } }),
  body: typeof response.body === 'object' ? JSON.stringify(response.body) : (response.body ?? ''),
});
