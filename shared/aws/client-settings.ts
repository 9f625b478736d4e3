/** Settings of the DynamoDB and SQS clients: how long they wait, how often they try, and what each request does. */
import { confirmAuthority } from '../foundation/authority.ts';

// The clients would load these with their first request. Load them now, while INIT has a full CPU.
process.getBuiltinModule?.('node:http');
void globalThis.ReadableStream;

/** The last of three attempts waits longer, for a slow table. All end in 8 s, before endpoints' and workers' 10 s. */
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
    // The request timeout ends with the response's headers; this one applies while the body is read, in every attempt.
    socketTimeout: lastAnswerMs,
  },
};

interface RequestHandler {
  handle(request: SentRequest, options?: { readonly requestTimeout?: number }): Promise<unknown>;
}

interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
}

/** The SDK numbers its attempts in a header, such as `attempt=3; max=3`. */
const isLastAttempt = ({ headers }: SentRequest): boolean =>
  /^attempt=(\d+); max=\1$/.test(headers['amz-sdk-request'] ?? '');

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

/** Unneeded steps that prepare log entries without a logger and list features in headers: a tenth of the CPU time. */
const unused = ['loggerMiddleware', 'getUserAgentMiddleware'];

/** Makes the last attempt wait longer, confirms authority before each attempt that changes something, and saves CPU. */
export const prepared = <Client extends { readonly middlewareStack: object; readonly config: object }>(
  client: Client,
): Client => {
  // The SDK copies its config four times per request. Its many properties make it a hash table in V8, unless it is a
  // prototype; copying that takes a tenth of a request's CPU time.
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
