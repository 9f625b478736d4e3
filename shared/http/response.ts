/** Responses of endpoints, and the headers of every response. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as v from 'valibot';
import { currentApiVersion } from '../foundation/api-version.ts';
import type { Resource } from '../foundation/resource.ts';

export interface HttpResponse {
  readonly status: number;
  /** An object is sent as JSON, a string unchanged; undefined is an empty body. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
}

export type Answer =
  | {
      readonly status: 200 | 201 | 202;
      /** The key of the body that holds the items. */
      readonly root: string;
      /** The schema of an item, which has a name (`named` in `shared/foundation/resource.ts`). */
      readonly item: v.GenericSchema;
      /** What `meta` can have beside the pages. */
      readonly meta?: Readonly<Record<string, v.GenericSchema>>;
      /** Whether the root key holds the object itself instead of an array, as Ghost has it for `site` and `config`. */
      readonly isSingle?: true;
    }
  | { readonly status: 204 | 303 }
  | { readonly status: 200; readonly contentType: 'text/html' | 'text/plain' | 'application/json' };

export interface Beside extends Pick<HttpResponse, 'headers' | 'cookies'> {
  /** The id of the last item of this page, null on the last one. Absent without pages. */
  readonly next?: string | null;
  readonly meta?: object | undefined;
  /** If the search ended before the page was full: how far it went, in epoch ms. */
  readonly searchedTo?: number | undefined;
  /** How many items all pages have. Only with numbered pages. */
  readonly total?: number;
}

type Items<Success extends Answer> = Success extends { readonly item: infer Schema extends v.GenericSchema }
  ? Success extends { readonly isSingle: true }
    ? Resource<Schema>
    : readonly Resource<Schema>[]
  : undefined;

export type Reply<Success extends Answer> =
  Items<Success> extends undefined
    ? (items?: undefined, beside?: Beside) => HttpResponse
    : (items: Items<Success>, beside?: Beside) => HttpResponse;

/** Returns the function that makes the declared response; `metaOf` returns a page's `meta`, if it has one. */
export const replyOf =
  (answer: Answer, metaOf: (beside: Beside) => object | undefined) =>
  (items?: unknown, beside: Beside = {}): HttpResponse => {
    const { headers = {}, cookies = [] } = beside;
    const body = 'root' in answer && { body: { [answer.root]: items, ...metaOf(beside) } };
    return { status: answer.status, ...body, headers, cookies };
  };

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

/** Answers OPTIONS: the path's methods and, for an allowed origin, a CORS preflight's approval of the headers. */
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
