/**
 * What all endpoints have in common, in one order: normalise, correlate, body parses, authenticate, allowed for this
 * caller, id format, root key and fields, handle; and whatever is thrown on the way is rendered in the envelope.
 */
import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { log } from '../aws/log.ts';
import { flushMetrics } from '../aws/metrics.ts';
import { type Caller as AllowedCaller, contract, type EndpointLine, type FunctionName } from '../contract.ts';
import type { Caller, FindKey } from '../foundation/caller.ts';
import { type Clock, systemClock } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { type MastheadError, NoPermissionError, ValidationError } from '../foundation/errors.ts';
import { type AnyId, idPattern } from '../foundation/ids.ts';
import { defaultBodyLimit, readBody, shortened } from './body.ts';
import { asMastheadError, errorResponse } from './envelope.ts';
import { type BodyShape, describe, readItems } from './items.ts';
import { type HttpRequest, readHeaders, readRequest } from './request.ts';
import { type HttpResponse, writeResponse } from './response.ts';
import { readToken, unknownKey, verifyToken } from './token.ts';

/** What a handler gets. */
export interface Call<Item, Who> {
  readonly request: HttpRequest;
  /** The path's ids, checked. */
  readonly id: <T extends AnyId>(parameter?: string) => T & string;
  /** At least one, wherever a body is read. */
  readonly items: readonly [Item, ...Item[]];
  readonly caller: Who;
  /** When the request is handled, in epoch ms. */
  readonly now: number;
}

interface Endpoint<Item, Who> {
  readonly line: FunctionName;
  /** How keys are found; left out where anyone may call. */
  readonly keys: Who extends Caller ? FindKey : undefined;
  /** What the body holds; left out where none is read. */
  readonly body?: (caller: Who) => BodyShape<Item>;
  readonly handle: (call: Call<Item, Who>) => Promise<HttpResponse>;
  /** How a page for people shows an error; the envelope where it is left out. */
  readonly failure?: (error: MastheadError) => HttpResponse;
  readonly clock?: Clock;
}

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** Makes the handler of an endpoint that wants a key. */
export const endpoint = <Item = never>(definition: Endpoint<Item, Caller>): Handler => withOrder(definition);

/** Makes the handler of an endpoint that is for anyone. */
export const openEndpoint = <Item = never>(definition: Omit<Endpoint<Item, undefined>, 'keys'>): Handler =>
  withOrder({ ...definition, keys: undefined });

const withOrder = <Item, Who extends Caller | undefined>(definition: Endpoint<Item, Who>): Handler => {
  const line = endpointLine(definition.line);
  const clock = definition.clock ?? systemClock;

  const answer = async (event: APIGatewayProxyEvent): Promise<HttpResponse> => {
    const request = readRequest(event);
    const now = clock();
    // Also where no body is asked for, what comes has to be readable: the contract's order of checks begins with it.
    const body =
      line.method === 'GET' ? ({ kind: 'empty' } as const) : readBody(request, line.bodyLimit ?? defaultBodyLimit);
    const caller = (definition.keys && (await authenticate(request, definition.keys, line, now))) as Who;
    for (const [name, value] of Object.entries(request.params)) if (/(^|_)id$/.test(name)) checkId(name, value ?? '');
    const items = definition.body === undefined ? [] : readItems(body, definition.body(caller), request.params.id);
    return definition.handle({
      request,
      id: <T extends AnyId>(parameter = 'id') => (request.params[parameter] ?? '') as T & string,
      // Where no body is read, `Item` is `never` and nobody can take one.
      items: items as unknown as readonly [Item, ...Item[]],
      caller,
      now,
    });
  };

  return rendered(definition.line, answer, definition.failure);
};

/** Renders what `answer` gives or throws; the one place where HTTP faults are logged. */
export const rendered = (
  name: string,
  answer: (event: APIGatewayProxyEvent) => Promise<HttpResponse>,
  failure?: (error: MastheadError) => HttpResponse,
): Handler =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>()
    .use(correlate(name))
    .use(envelope(failure))
    .handler(async (event) => written(event, await answer(event))) as unknown as Handler;

/** One log line a request, without its path, body or headers: those may hold a token or an address. */
const correlate = (name: string): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => {
  let began = 0;
  return {
    before: ({ event }) => {
      began = performance.now();
      log.begin({ function: name, request_id: event.requestContext?.requestId });
    },
    after: ({ response, event }) => {
      log.info('answered', {
        method: event.httpMethod,
        status: response?.statusCode,
        // Who still asks for old versions shows here; nothing is refused for it.
        accept_version: readHeaders(event)['accept-version']?.slice(0, 20),
        duration_ms: Math.round(performance.now() - began),
      });
      flushMetrics();
    },
  };
};

const envelope = (
  failure: ((error: MastheadError) => HttpResponse) | undefined,
): middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const error = asMastheadError(request.error);
    const response = errorResponse(error);
    const id = (response.body as { errors: [{ id: string }] }).errors[0].id;
    if (error.status >= 500) log.error('failed', { error_id: id, status: error.status, error: error.cause ?? error });
    else log.info('refused', { error_id: id, status: error.status, type: error.type, code: error.code });
    request.response = written(request.event, failure?.(error) ?? response);
  },
});

const written = (event: APIGatewayProxyEvent, response: HttpResponse): APIGatewayProxyResult =>
  writeResponse(response, readHeaders(event).origin, settings().allowedOrigins);

const endpointLine = (name: FunctionName): EndpointLine => {
  const line = contract.find((candidate) => candidate.function === name);
  if (line?.kind !== 'endpoint') throw new Error(`The contract has no endpoint ${name}.`);
  return line;
};

const authenticate = async (request: HttpRequest, keys: FindKey, line: EndpointLine, now: number): Promise<Caller> => {
  const token = readToken(request.headers.authorization);
  const key = await keys(token.kid);
  if (key === undefined) throw unknownKey();
  await verifyToken(token, key.secret, now);
  const { caller } = key;
  // A stage may name roles of its own as it likes, also `integration`.
  const kinds: readonly AllowedCaller[] =
    caller.kind === 'integration'
      ? ['integration']
      : caller.role === 'Owner' || caller.role === 'Administrator'
        ? ['staff', caller.role]
        : ['staff'];
  if (!line.callers.some((allowed) => kinds.includes(allowed)))
    throw new NoPermissionError(
      caller.kind === 'integration'
        ? "An integration's key may not do this."
        : `Your role, ${caller.role}, may not do this.`,
      { help: `This is for: ${line.callers.map((allowed) => callerName[allowed]).join(', ')}.` },
    );
  return caller;
};

const callerName: Record<AllowedCaller, string> = {
  Owner: 'the Owner',
  Administrator: 'Administrators',
  staff: "any staff member's key",
  integration: "integrations' keys",
  anyone: 'anyone',
};

const checkId = (name: string, value: string): void => {
  if (!idPattern.test(value))
    throw new ValidationError(`\`${shortened(value)}\` in the path is not an id.`, {
      property: 'id',
      help: 'Ids are 24 lower-case hex characters; take it as it was answered.',
      details: [{ index: null, field: name, rule: 'format', limit: idPattern.source, received: describe(value) }],
    });
};
