/** The proxy between functions and DynamoDB, SQS and SES: each call passes the steps in order, and reaches its part. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { guarded, type Listening, listenNear } from '../loopback.ts';
import { type Answer, type Call, NoAnswer, readCall, type Step } from './call.ts';

export type Parts = Readonly<Record<Call['service'], (call: Call) => Promise<Answer>>>;

/** Returns what `GET` answers as JSON, by path; called for each request. */
export type Pages = Readonly<Record<string, () => unknown>>;

/** Listens on this port or near it; the first step is the outermost. */
export const startProxy = async (
  parts: Parts,
  steps: readonly Step[],
  pages: Pages = {},
  port = 0,
): Promise<Listening> => {
  const take = (call: Call, at: number): Promise<Answer> => {
    const step = steps[at];
    return step === undefined ? parts[call.service](call) : step(call, (passed) => take(passed, at + 1));
  };
  const answerTo = async (request: IncomingMessage): Promise<Answer | NoAnswer> => {
    try {
      const call = readCall(request.headers, await readBody(request));
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
    const answered = await answerTo(request);
    if (answered instanceof NoAnswer) return withhold(answered, response);
    response.writeHead(answered.status, { ...answered.headers, 'content-length': answered.body.length });
    response.end(answered.body);
  };
  return listenNear(createServer(guarded(serve)), port);
};

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
