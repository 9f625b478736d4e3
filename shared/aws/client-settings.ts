/** How long the clients of DynamoDB and SQS wait for an answer, how often they try, and what they check before each attempt. */
import { confirmAuthority } from '../foundation/authority.ts';

// The clients load these with their first request: now, while INIT has a full CPU.
process.getBuiltinModule?.('node:http');
void globalThis.ReadableStream;

/**
 * DynamoDB and SQS answer within milliseconds; a request without an answer after 2.5 s is lost. Three attempts, with the SDK's waits between
 * them, end within 8 s: before the 10 s of an endpoint, which then answers 503, and before the 30 s of a worker, which has
 * posted for 10 s at most and can still record the result.
 */
const answerMs = 2500;

/** Settings of the DynamoDB and SQS clients. Errors that the table and the queues report as temporary are retried by the SDK. */
export const clientSettings = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: answerMs,
    // Without it the SDK only logs a warning.
    throwOnRequestTimeout: true,
    // The request's timeout ends with the head of the answer, this one counts while its body is read.
    socketTimeout: answerMs,
  },
};

/** As much of a client's middleware as is used here. */
interface MiddlewareStack {
  addRelativeTo(
    middleware: (
      next: (args: unknown) => Promise<unknown>,
      context: { readonly commandName?: string },
    ) => (args: unknown) => Promise<unknown>,
    options: { readonly name: string; readonly relation: 'after'; readonly toMiddleware: string },
  ): void;
}

const reads = /^(?:Get|BatchGet|Query)/;

/** Lets a client confirm the authority of the request before each attempt to change something: the last may be seconds after the first. */
export const withConfirmation = <Client extends { readonly middlewareStack: object }>(client: Client): Client => {
  (client.middlewareStack as MiddlewareStack).addRelativeTo(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!reads.test(commandName)) await confirmAuthority();
        return next(args);
      },
    { name: 'confirmAuthority', relation: 'after', toMiddleware: 'retryMiddleware' },
  );
  return client;
};
