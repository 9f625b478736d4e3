/** Settings of the DynamoDB and SQS clients: how long they wait for an answer, how often they try, and what they do for each request. */
import { confirmAuthority } from '../foundation/authority.ts';

// The clients would load these with their first request. Load them now, while INIT has a full CPU.
process.getBuiltinModule?.('node:http');
void globalThis.ReadableStream;

/**
 * A request without an answer after a second is tried again. The last of three attempts waits longer, for a table that is merely slow.
 * All of them end within 8 s: before the 10 s of an endpoint, and before a worker, which has posted for 10 s, must have recorded the result.
 */
const answerMs = 1000;
const lastAnswerMs = 5000;

/** The settings. The SDK retries errors that the table or the queues report as temporary. */
export const clientSettings = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: answerMs,
    // Without it the SDK only logs a warning.
    throwOnRequestTimeout: true,
    // The request timeout ends with the response headers; this timeout applies while the body is read, in every attempt.
    socketTimeout: lastAnswerMs,
  },
};

/** The part of the SDK's HTTP handler that this file uses. */
interface RequestHandler {
  handle(request: SentRequest, options?: { readonly requestTimeout?: number }): Promise<unknown>;
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** The SDK numbers its attempts in a header, such as `attempt=3; max=3`. */
const isLastAttempt = ({ headers }: SentRequest): boolean =>
  /^attempt=(\d+); max=\1$/.test(headers['amz-sdk-request'] ?? '');

/** The part of a client's middleware that this file uses. */
interface MiddlewareStack {
  addRelativeTo(
    middleware: (
      next: (args: unknown) => Promise<unknown>,
      context: { readonly commandName?: string },
    ) => (args: unknown) => Promise<unknown>,
    options: { readonly name: string; readonly relation: 'after'; readonly toMiddleware: string },
  ): void;
  remove(name: string): boolean;
}

const reads = /^(?:Get|BatchGet|Query)/;

/**
 * Steps that are not needed: the SDK prepares log entries without a logger, and lists its features in two headers. They take a tenth of a request's
 * CPU time.
 */
const unused = ['loggerMiddleware', 'getUserAgentMiddleware'];

/**
 * Makes a client wait longer for its last attempt, and confirm the request's authority before each attempt to change something, because the last
 * attempt may be seconds after the first. Also removes unnecessary steps and speeds up the others.
 */
export const prepared = <Client extends { readonly middlewareStack: object; readonly config: object }>(
  client: Client,
): Client => {
  // The SDK copies its config four times for each request. It has so many properties that V8 keeps it as a hash table, unless it is
  // the prototype of another object. Copying a hash table takes a tenth of a request's CPU time.
  Object.create(client.config);
  const steps = client.middlewareStack as MiddlewareStack;
  for (const name of unused) steps.remove(name);
  const { requestHandler } = client.config as { readonly requestHandler: RequestHandler };
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, options) =>
    handle(request, isLastAttempt(request) ? { ...options, requestTimeout: lastAnswerMs } : options);
  steps.addRelativeTo(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!reads.test(commandName)) await confirmAuthority();
        return next(args);
      },
    { name: 'confirmAuthority', relation: 'after', toMiddleware: 'retryMiddleware' },
  );
  return client;
};
