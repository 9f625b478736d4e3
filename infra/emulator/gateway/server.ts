/** API Gateway on one machine: an HTTP server on loopback that returns the response of the route's function. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import * as v from 'valibot';
import type { Run } from '../lambda/environment.ts';
import type { Pool } from '../lambda/pool.ts';
import { guarded, listen, listenNear } from '../loopback.ts';
import { proxyEvent } from './event.ts';
import type { RouteTable } from './routes.ts';

/** The maximum size of a body at API Gateway (10 MB). */
const bodyLimit = 10 * 1024 * 1024;
/** The maximum size of the event of a synchronous invocation, in which the body is escaped (Lambda's quota). */
const eventLimit = 6 * 1024 * 1024;
/** The integration timeout in ms (REST APIs: 29 s). */
const integrationTimeoutMs = 29_000;

export type Gateway = Awaited<ReturnType<typeof startGateway>>;
type PoolOf = (functionName: string) => Pick<Pool, 'invoke' | 'resumed'>;
type Invoke = (functionName: string, event: unknown) => Promise<Run | 'late'>;

export interface Answered {
  readonly method: string;
  readonly path: string;
  /** The path of its route, with parameters in braces; undefined if it has none. */
  readonly resource: string | undefined;
  readonly status: number;
  /** Whether it came from a browser that has signed in. */
  readonly hasSession: boolean;
  readonly ms: number;
}

interface GatewayOptions {
  readonly port: number;
  /** Whether another port may be used if this one is taken. */
  readonly orNext?: boolean;
  readonly allowedOrigins?: readonly string[];
  readonly onAnswer?: ((answered: Answered) => void) | undefined;
  /** Whether the integration timeout does not apply. */
  readonly isDebugged?: boolean;
}

/** Listens on loopback (`loopback.ts`). Rejects with `EADDRINUSE`. */
export const startGateway = async ({
  port,
  orNext = false,
  allowedOrigins = [],
  onAnswer = () => {},
  isDebugged = false,
}: GatewayOptions) => {
  let answer: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined;
  let ready: (() => void) | undefined;
  const serving = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const server = createServer(
    guarded(async (request, response) => {
      if (answer === undefined) await serving;
      await answer?.(request, response);
    }, allowedOrigins),
  );
  const { origin, port: used, stop: end } = await (orNext ? listenNear : listen)(server, port);
  return {
    /** Such as `http://127.0.0.1:3368`. */
    origin,
    port: used,
    /** Starts to answer; earlier requests wait until then. */
    serve(routes: RouteTable, poolOf: PoolOf) {
      const invoke = invoker(poolOf, isDebugged);
      answer = (request, response) => {
        const [began, { method = 'GET', url = '/' }] = [performance.now(), request];
        const [path = '/'] = url.split('?', 1);
        response.on('finish', () => {
          const resource = routes.find(method, path)?.resource;
          const { statusCode: status } = response;
          const hasSession = request.headers.cookie !== undefined;
          onAnswer({ method, path, resource, status, hasSession, ms: performance.now() - began });
        });
        return handle(request, response, routes, invoke);
      };
      ready?.();
    },
    /** Accepts no new requests; resolves when all accepted ones are answered. */
    stop() {
      return new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
    },
    /** Stops, and closes the connections of unanswered requests. */
    end,
  };
};

const handle = async (
  request: IncomingMessage,
  response: ServerResponse,
  routes: RouteTable,
  invoke: Invoke,
): Promise<void> => {
  const [path = '/'] = (request.url ?? '/').split('?', 1);
  const refuse = (type: string, status: number, message: string) =>
    sendOwn(response, routes, { type, status, message, requestId: crypto.randomUUID() });
  const body = await readBody(request);
  if (body === 'gone') return;
  if (body === 'too large') return refuse('REQUEST_TOO_LARGE', 413, 'Request Too Long');
  const route = routes.find(request.method ?? 'GET', path);
  if (route === undefined) return refuse('MISSING_AUTHENTICATION_TOKEN', 403, 'Missing Authentication Token');
  const refuseBroken = () => refuse('DEFAULT_5XX', 502, 'Internal server error');
  try {
    const event = proxyEvent(request, body, route, routes.stage);
    // Smaller bodies fit, however much escaping adds.
    if (body.length > eventLimit / 6 && Buffer.byteLength(JSON.stringify(event)) > eventLimit)
      return refuse('REQUEST_TOO_LARGE', 413, 'Request Too Long');
    const run = await invoke(route.functionName, event);
    if (run === 'late') return refuse('INTEGRATION_TIMEOUT', 504, 'Endpoint request timed out');
    // AWS answers 502 if a function threw, timed out, or returned no valid proxy response.
    const result = run.ok ? v.safeParse(proxyResponse, run.result) : undefined;
    if (result === undefined || !result.success) return refuseBroken();
    await send(request, response, result.output, routes);
  } catch (error) {
    // For example an invalid header. Node names the header, but not its value.
    console.error(
      `${route.functionName}: its result is not a valid response: ${error instanceof Error ? error.message : error}`,
    );
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    refuseBroken();
  }
};

const header = v.union([v.string(), v.number(), v.boolean()]);
const proxyResponse = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599)),
  headers: v.nullish(v.record(v.string(), header), {}),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(header)), {}),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.literal(false)),
});

const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  result: v.InferOutput<typeof proxyResponse>,
  { minimumCompressionSize = Number.POSITIVE_INFINITY }: RouteTable,
): Promise<void> => {
  response.statusCode = result.statusCode;
  response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(result.multiValueHeaders ?? {}))
    response.setHeader(name, values.map(String));
  if (result.statusCode === 204) response.removeHeader('Content-Type');
  const text = result.body ?? '';
  const isToCompress = Buffer.byteLength(text) >= minimumCompressionSize && !response.hasHeader('Content-Encoding');
  const compressed = isToCompress ? await compress(text, request.headers['accept-encoding']) : undefined;
  if (compressed) response.setHeader('Content-Encoding', compressed.coding);
  const body = compressed?.body ?? Buffer.from(text);
  if (result.statusCode !== 204) response.setHeader('Content-Length', body.length);
  response.end(request.method === 'HEAD' ? undefined : body);
};

const codings = { gzip: promisify(gzip), deflate: promisify(deflate) };

/** Compresses as API Gateway does (its guide, "Receive an API response with a compressed payload"); `*` is ignored. */
const compress = async (text: string, acceptEncoding: string | string[] | undefined) => {
  const [coding] = /\b(gzip|deflate)\b/.exec(String(acceptEncoding)) ?? [];
  if (coding !== 'gzip' && coding !== 'deflate') return undefined;
  return { coding, body: await codings[coding](text) };
};

interface OwnAnswer {
  readonly type: string;
  readonly status: number;
  readonly message: string;
  readonly requestId: string;
}

const sendOwn = (response: ServerResponse, routes: RouteTable, own: OwnAnswer): void => {
  const family = own.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
  const set = routes.responses.get(own.type) ?? routes.responses.get(family);
  const variables: Record<string, string> = {
    'error.message': own.message,
    'error.messageString': JSON.stringify(own.message),
    'error.responseType': own.type,
    requestId: own.requestId,
    extendedRequestId: own.requestId,
  };
  const template = set?.template ?? '{"message":$context.error.messageString}';
  const body = template.replace(/\$context\.([A-Za-z.]*[A-Za-z])/g, (_all, name: string) => variables[name] ?? '');
  response.statusCode = set?.status ?? own.status;
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Connection', 'close');
  for (const [name, value] of Object.entries(set?.headers ?? {})) response.setHeader(name, value);
  response.end(body);
};

const readBody = async (request: IncomingMessage): Promise<Buffer | 'too large' | 'gone'> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      // An oversized body is read to its end, because a client that is still writing would not see the answer.
      length += chunk.length;
      if (length <= bodyLimit) chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  return length > bodyLimit ? 'too large' : Buffer.concat(chunks);
};

/** The integration timeout begins when the function's bundle exists, because on AWS every deployment has one. */
const invoker =
  (poolOf: PoolOf, isDebugged: boolean): Invoke =>
  async (functionName, event) => {
    const pool = poolOf(functionName);
    await pool.resumed();
    if (isDebugged) return pool.invoke(event);
    const { promise, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => resolve('late'), integrationTimeoutMs);
    return Promise.race([pool.invoke(event), promise]).finally(() => clearTimeout(timer));
  };
