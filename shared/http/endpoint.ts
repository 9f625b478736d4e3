/**
 * The steps that all endpoints share, in order: begin the log line, read the request, check size and encoding of the
 * body, authenticate, authorise, parse the body, check ids, root key and fields, handle. Errors are rendered in the
 * envelope (docs/compatibility.md, "Errors").
 */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { log } from '../aws/log.ts';
import { flushMetrics, metricFields } from '../aws/metrics.ts';
import { watched } from '../aws/watched.ts';
import { contract, type EndpointLine, type FunctionName, isVersion } from '../contract.ts';
import { withAuthority } from '../foundation/authority.ts';
import type { Caller, Credentials } from '../foundation/caller.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import { baseUrl, settings } from '../foundation/environment.ts';
import { type MastheadError, NotFoundError, ServiceUnavailableError, ValidationError } from '../foundation/errors.ts';
import {
  type AnyId,
  type ApiKeyId,
  type DeliveryId,
  idPattern,
  type ReplayId,
  type SessionId,
} from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import { authenticate, authenticateAgain, isFromKnownCaller } from './authenticate.ts';
import { type Body, checkBody, defaultBodyLimit, parseBody, shortened } from './body.ts';
import { asMastheadError, errorResponse } from './envelope.ts';
import { failedKeys } from './failed-keys.ts';
import { ignoredHeader, refuseSelection } from './ignored.ts';
import { type BodyShape, describe, readItems } from './items.ts';
import { numbered, type Pages, pageParameters, paginated, readCursor, readLimit, readPageNumber } from './paging.ts';
import { type Query, readQuery, type Values } from './query.ts';
import { type HttpRequest, readHeaders, readRequest } from './request.ts';
import { type Answer, type Beside, type HttpResponse, type Reply, replyOf, writeResponse } from './response.ts';

interface PathIds {
  readonly delivery_id: DeliveryId;
  readonly key_id: ApiKeyId;
  readonly replay_id: ReplayId;
  readonly session_id: SessionId;
}

export interface Call<Item, Who, Declared extends Query, Success extends Answer> {
  readonly request: HttpRequest;
  readonly body: Body;
  readonly query: Values<Declared>;
  /** The requested page: its size; `after()`, the id that it follows (cursor); `of()`, its part of a list (number). */
  readonly page: {
    readonly limit: number;
    after<T extends AnyId>(): T | undefined;
    of<T>(all: readonly T[]): readonly T[];
  };
  /** Returns a checked id from the path. Each endpoint states what its `id` refers to. */
  readonly id: {
    <T extends AnyId>(): T;
    <Parameter extends keyof PathIds>(parameter: Parameter): PathIds[Parameter];
  };
  /** The checked items of the body: at least one if the endpoint defines `body`, otherwise none. */
  readonly items: readonly [Item, ...Item[]];
  readonly caller: Who;
  readonly now: number;
  readonly reply: Reply<Success>;
}

/** An endpoint: what it takes and returns, which the OpenAPI document shows too, and its handler. */
export interface Endpoint<Item, Who, Declared extends Query = Query, Success extends Answer = Answer> {
  readonly line: FunctionName;
  readonly query?: Declared;
  /** How its list is cut into pages, which adds `limit`, and `cursor` or `page`, to the query. */
  readonly pages?: Pages;
  readonly body?: DeclaredBody<Item, Who>;
  readonly answer: Success;
  /** Authenticates without keys, before the body is parsed. An UnauthorizedError counts against the source address. */
  readonly authenticate?: (request: HttpRequest, now: number) => Promise<Who>;
  /** Whether strings of its body are forwarded as they came, so that they may have half of a surrogate pair. */
  readonly forwards?: true;
  /** Takes note of an error that ends a request. Must not reject. */
  readonly onRefused?: (request: HttpRequest, error: unknown, now: number) => Promise<void>;
  /** Whether the path may have `me` in place of an id, for the staff member who calls. */
  readonly knowsMe?: true;
  readonly handle: (call: Call<Item, Who, Declared, Success>) => Promise<HttpResponse>;
  /** Renders an error as an HTML page. By default, errors are rendered in the envelope. */
  readonly failure?: Failure;
  readonly clock?: Clock;
}

type Failure = (error: MastheadError, headers: HttpRequest['headers']) => HttpResponse;

/** The rules of a body that the settings of the stage decide. */
export type StageRules = Pick<Settings, 'ownEvents' | 'targets'>;

/** A body whose rules may depend on the stage and on the caller. For the OpenAPI document, the caller is undefined. */
export interface DeclaredBody<Item, Who> extends Omit<BodyShape<Item>, 'item'> {
  readonly item: BodyShape<Item>['item'] | ((rules: StageRules, caller: Who | undefined) => BodyShape<Item>['item']);
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

export type EndpointHandler = Handler & { readonly declared: Declaration };

export type Declaration = Pick<
  Endpoint<unknown, never>,
  'line' | 'query' | 'pages' | 'body' | 'answer' | 'knowsMe' | 'failure'
>;

/** Creates the handler of an endpoint that requires a key or a session; `credentials` look up who calls. */
export const keyEndpoint = <Item, Declared extends Query, Success extends Answer>(
  definition: Endpoint<Item, Caller, Declared, Success>,
  credentials: Credentials,
): EndpointHandler => createHandler(definition, credentials);

export const openEndpoint = <
  const Success extends Answer,
  Item = never,
  Who = undefined,
  Declared extends Query = Record<never, never>,
>(
  definition: Endpoint<Item, Who, Declared, Success>,
): EndpointHandler => createHandler(definition);

const createHandler = <Item, Who, Declared extends Query, Success extends Answer>(
  definition: Endpoint<Item, Who, Declared, Success>,
  credentials?: Credentials,
): EndpointHandler => {
  const line = endpointLine(definition.line);
  const clock = definition.clock ?? systemClock;
  const failed = failedKeys();

  const answer = async (event: APIGatewayProxyEvent): Promise<HttpResponse> => {
    const request = readRequest(event);
    const now = clock();
    try {
      return await answerTo(request, now);
    } catch (error) {
      await definition.onRefused?.(request, error, now);
      throw error;
    }
  };

  const answerTo = async (request: HttpRequest, now: number): Promise<HttpResponse> => {
    checkVersion(request);
    const readsBody = line.method !== 'GET';
    if (readsBody) checkBody(request, line.bodyLimit ?? defaultBodyLimit);
    const keyHolder =
      credentials &&
      (await failed.limit(request.sourceIp, now, () => authenticate(request, credentials, line, now), {
        isKnown: () => isFromKnownCaller(request, credentials, now),
      }));
    const signer = await failed.count(request.sourceIp, now, async () => definition.authenticate?.(request, now));
    const caller = (keyHolder ?? signer) as Who;
    // Malformed JSON is a 400 even if the endpoint ignores the body.
    const body: Body = readsBody ? parseBody(request, definition.forwards) : { kind: 'empty' };
    const params =
      definition.knowsMe && keyHolder?.kind === 'staff' && request.params.id === 'me'
        ? { ...request.params, id: keyHolder.staffId }
        : request.params;
    for (const [name, value] of Object.entries(params)) if (/(^|_)id$/.test(name)) checkId(name, value ?? '');
    checkOnce(request, line);
    const parameters = [
      ...Object.keys(definition.query ?? {}),
      ...(definition.pages ? pageParameters(definition.pages) : []),
    ];
    if (isList(line, definition.answer)) refuseSelection(request.query, parameters);
    const query = readQuery(definition.query ?? ({} as Declared), request.query);
    const shape = definition.body && shapeOf(definition.body, caller);
    const items = shape === undefined ? [] : readItems(body, shape, params.id);
    const { max = 0, isFixed, isNumbered } = definition.pages ?? {};
    const limit = isFixed || max === 0 ? max : readLimit(request.query, max);
    const number = isNumbered ? readPageNumber(request.query) : 1;
    const scope = scopeOf(definition, params, request.query);
    const after = max === 0 || isNumbered ? undefined : readCursor(request.query, scope);
    const metaOf = ({ next, searchedTo, total, meta }: Beside) => {
      if (total !== undefined) return numbered(number, limit, total);
      return next === undefined ? undefined : paginated(scope, limit, next, searchedTo, meta);
    };
    const call: Call<Item, Who, Declared, Success> = {
      request,
      body,
      query,
      page: {
        limit,
        after: <T extends AnyId>() => after as T | undefined,
        of: (all) => all.slice((number - 1) * limit, number * limit),
      },
      reply: replyOf(definition.answer, metaOf),
      id: <T extends AnyId>(parameter = 'id') => (params[parameter] ?? '') as T,
      // An endpoint without a body has `Item = never`, so it cannot read items.
      items: items as unknown as readonly [Item, ...Item[]],
      caller,
      now,
    };
    const handle = async (): Promise<HttpResponse> => {
      const response = await definition.handle(call);
      if (!line.path.startsWith('/admin/')) return response;
      const schemas = [shape, definition.answer].flatMap((one) =>
        one !== undefined && 'item' in one ? [one.item] : [],
      );
      const ignored = ignoredHeader(request.query, body, { parameters, root: shape?.root, schemas });
      return { ...response, headers: { ...response.headers, ...ignored } };
    };
    if (line.link === true) return failed.limit(request.sourceIp, now, handle, { isDead: isDeadLink });
    if (credentials === undefined || keyHolder === undefined) return handle();
    const check = () => authenticateAgain(keyHolder, request, credentials, line, now);
    return withAuthority({ check, clock, checkedAt: now }, handle);
  };

  return Object.assign(renderingHandler(definition.line, answer, definition.failure), {
    declared: definition as unknown as Declaration,
  });
};

/** Whether an endpoint returns a list: items that no id in the path selects. */
export const isList = ({ method, path }: EndpointLine, answer: Answer): boolean =>
  method === 'GET' && 'root' in answer && answer.isSingle !== true && !path.endsWith('}/');

const shapeOf = <Item, Who>({ item, ...shape }: DeclaredBody<Item, Who>, caller: Who): BodyShape<Item> => ({
  ...shape,
  item: typeof item === 'function' ? item(settings(), caller) : item,
});

/** Returns what a cursor is bound to: the list, and what selects from it. */
const scopeOf = (
  { line, query = {} }: Pick<Endpoint<unknown, never>, 'line' | 'query'>,
  params: HttpRequest['params'],
  sent: HttpRequest['query'],
): string => {
  const selected = Object.keys(query).filter((name) => name !== 'include' && sent[name] !== undefined);
  return [line, ...Object.values(params), ...selected.map((name) => `${name}=${sent[name]}`)].join(' ');
};

/** Whether a request ended because its link is dead: with an error, or with a page. */
const isDeadLink = (end: unknown): boolean =>
  typeof end === 'object' && end !== null && 'status' in end && (end.status === 404 || end.status === 410);

/** Answers before Lambda's own timeout would. The work may be complete by then; clients may retry. */
const timeout = {
  // Enough to render the response: with 0.29 vCPU, a function gets slices of 20 ms and may first wait for one.
  timeoutEarlyInMillis: 100,
  timeoutEarlyResponse: () => {
    throw new ServiceUnavailableError(new Error('The invocation ran out of time.'));
  },
};

/** Creates a handler that renders the response or the error of `answer`. HTTP errors are logged nowhere else. */
export const renderingHandler = (
  name: string,
  answer: (event: APIGatewayProxyEvent) => Promise<HttpResponse>,
  failure?: Failure,
): Handler =>
  watched(
    middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>(timeout)
      .use(correlate(name))
      .use(envelope(failure))
      .handler(async (event) => toResult(event, await answer(event))) as unknown as Handler,
  );

/** Writes one log line per request, without path, body and headers: they may contain a token or an address. */
const correlate = (name: string): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => {
  let began = 0;
  return {
    before: ({ event }) => {
      began = performance.now();
      const { requestId, identity } = event.requestContext ?? {};
      log.begin({ function: name, request_id: requestId, source_ip: identity?.sourceIp });
    },
    after: ({ response, event }) => {
      log.info('answered', {
        method: event.httpMethod,
        status: response?.statusCode,
        // Shows which clients still request old versions; no request is refused for it.
        accept_version: readHeaders(event)['accept-version']?.slice(0, 20),
        duration_ms: Math.round(performance.now() - began),
        ...metricFields(),
      });
    },
  };
};

const envelope = (failure: Failure | undefined): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const error = asMastheadError(request.error);
    const response = errorResponse(error);
    const id = (response.body as { errors: [{ id: string }] }).errors[0].id;
    if (error.status >= 500) log.error('failed', { error_id: id, status: error.status, error: error.cause ?? error });
    else log.info('refused', { error_id: id, status: error.status, type: error.type, code: error.code });
    flushMetrics();
    request.response = toResult(request.event, failure?.(error, readHeaders(request.event)) ?? response);
  },
});

const toResult = (event: APIGatewayProxyEvent, response: HttpResponse): APIGatewayProxyResult =>
  writeResponse(
    { ...response, headers: { ...deprecation(event), ...response.headers } },
    readHeaders(event).origin,
    settings().allowedOrigins,
  );

/** Returns the deprecation headers that Ghost 6 sends for a path with a version. Ghost reports `canary` as v4. */
const deprecation = ({ path, pathParameters }: APIGatewayProxyEvent): Record<string, string> => {
  const version = pathParameters?.version;
  if (version === undefined || !isVersion(version)) return {};
  const latest = `${baseUrl()}${path.slice(path.indexOf(`/${version}/admin/`) + version.length + 1)}`;
  return {
    Deprecation: `version="${version === 'canary' ? 'v4' : version}"`,
    Link: `<${latest}>; rel="latest-version"`,
  };
};

/** @throws NotFoundError for a first part of the path that is no version */
const checkVersion = ({ params: { version }, path }: HttpRequest): void => {
  if (version === undefined || isVersion(version)) return;
  throw new NotFoundError(`Unknown path \`${shortened(path)}\`.`, {
    help: `The paths of the Admin API start with ${baseUrl()}/admin/.`,
  });
};

const endpointLine = (name: FunctionName): EndpointLine => {
  const line = contract.find((candidate) => candidate.function === name);
  if (line?.kind !== 'endpoint') throw new Error(`The contract has no endpoint ${name}.`);
  return line;
};

const checkId = (name: string, value: string): void => {
  if (!idPattern.test(value))
    throw new ValidationError(`\`${shortened(value)}\` in the path is not a valid id.`, {
      property: 'id',
      help: 'An id has 24 lower-case hex characters. Use it as returned by the API.',
      details: [{ index: null, field: name, rule: 'format', limit: idPattern.source, received: describe(value) }],
    });
};

/** Refuses a parameter that is sent twice: which value counts is a guess. HTML pages ignore unknown parameters. */
const checkOnce = ({ repeated: [name] }: HttpRequest, { path }: EndpointLine): void => {
  if (name === undefined || !path.startsWith('/admin/')) return;
  throw new ValidationError(`\`${shortened(name)}\` is in the query more than once.`, {
    property: shortened(name),
    help: 'Send each parameter once; separate several names in `include` by commas.',
    details: [{ index: null, field: shortened(name), rule: 'once', limit: 1, received: 'several values' }],
  });
};
