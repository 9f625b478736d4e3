/**
 * The proxy through which functions reach DynamoDB, SQS and SES, over HTTP or by messages from their environments. Each call passes the steps in
 * order, and then reaches its part.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { guarded, type Listening, listenNear } from '../loopback.ts';
import { type Answer, type Call, NoAnswer, readCall, type Step } from './call.ts';

export type Parts = Readonly<Record<Call['service'], (call: Call) => Promise<Answer>>>;

/** Returns what `GET` answers as JSON, by path; called for each request. */
export type Pages = Readonly<Record<string, () => unknown>>;

/** A call as an environment sends it by a message. AWS's protocols are text. */
export interface SentCall {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to a call; `reset` means that the connection was reset. */
export type ReturnedCall =
  | {
      readonly id: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly id: number; readonly reset: true };

export interface AwsProxy extends Listening {
  /** Connects an environment without HTTP. */
  connect(): Connection;
}

export interface Connection {
  /** The proxy's, such as `127.0.0.1:4100`. */
  readonly address: string;
  /** For the environment, which sends its calls over it. */
  readonly port: MessagePort;
  /** Returns for how many ms in total the proxy has had calls of this environment to answer; an uninterrupted period counts at most `longestAnswerMs`. */
  answeringMs(): number;
}

/** In ms: an answer that takes longer is caused by an injected fault. */
const longestAnswerMs = 100;

/** Listens on this port or near it; the first step is the outermost. */
export const startProxy = async (
  parts: Parts,
  steps: readonly Step[],
  pages: Pages = {},
  port = 0,
): Promise<AwsProxy> => {
  const take = (call: Call, at: number): Promise<Answer> => {
    const step = steps[at];
    return step === undefined ? parts[call.service](call) : step(call, (passed) => take(passed, at + 1));
  };
  const answerTo = async (headers: IncomingHttpHeaders, body: Buffer | Promise<Buffer>): Promise<Answer | NoAnswer> => {
    try {
      const call = readCall(headers, await body);
      return call === undefined ? notAws : await take(call, 0);
    } catch (error) {
      if (error instanceof NoAnswer) return error;
      // A part that does not answer is an internal error: a 5xx, which the SDK retries.
      return { status: 503, headers: {}, body: Buffer.from(String(error)) };
    }
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const page = request.method === 'GET' ? pages[request.url ?? ''] : undefined;
    if (page !== undefined) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(page()));
      return;
    }
    const answered = await answerTo(request.headers, readBody(request));
    if (answered instanceof NoAnswer) return withhold(answered, response);
    response.writeHead(answered.status, { ...answered.headers, 'content-length': answered.body.length });
    response.end(answered.body);
  };
  const listening = await listenNear(createServer(guarded(serve)), port);
  const address = listening.origin.replace('http://', '');
  const connect = (): Connection => {
    const { port1: own, port2: ofEnvironment } = new MessageChannel();
    let [open, began, endedMs] = [0, 0, 0];
    const openMs = () => (open === 0 ? 0 : Math.min(longestAnswerMs, performance.now() - began));
    own.on('message', async ({ id, headers, body }: SentCall) => {
      if (open === 0) began = performance.now();
      open += 1;
      const answered = await answerTo(inLowerCase(headers), Buffer.from(body));
      if (open === 1) endedMs += openMs();
      open -= 1;
      if (!(answered instanceof NoAnswer))
        own.postMessage({ ...answered, id, body: answered.body.toString() } satisfies ReturnedCall);
      else if (answered.kind === 'reset') own.postMessage({ id, reset: true } satisfies ReturnedCall);
    });
    own.unref();
    return { address, port: ofEnvironment, answeringMs: () => endedMs + openMs() };
  };
  return { ...listening, connect };
};

/** As Node.js parses headers. */
const inLowerCase = (headers: SentCall['headers']): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The connection stays open until the caller closes it, unless it is reset. */
const withhold = ({ kind }: NoAnswer, response: ServerResponse): void => {
  if (kind === 'reset') response.socket?.resetAndDestroy();
};

const notAws: Answer = {
  status: 400,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from('The proxy accepts signed requests of an AWS SDK for DynamoDB, SQS and SES.\n'),
};

/** Every call of a function comes through here; `for await` would take three times as long. */
const readBody = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
