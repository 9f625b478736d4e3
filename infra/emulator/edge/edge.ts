/**
 * The edge: the one address that functions reach DynamoDB, SQS and SES at. Each call takes the steps in their order and
 * then goes to its part.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, type Call, NoAnswer, readCall, type Step } from './call.ts';

export interface Edge {
  readonly url: string;
  stop(): Promise<void>;
}

export type Parts = Readonly<Record<Call['service'], (call: Call) => Promise<Answer>>>;

/** What `GET` of a path gives as JSON, by path; asked for at each request. */
export type Pages = Readonly<Record<string, () => unknown>>;

/** Listens on a free loopback port; the first step is the outermost. */
export const startEdge = async (parts: Parts, steps: readonly Step[], pages: Pages = {}): Promise<Edge> => {
  const take = (call: Call, at: number): Promise<Answer> => {
    const step = steps[at];
    return step === undefined ? parts[call.service](call) : step(call, (passed) => take(passed, at + 1));
  };
  const server = createServer(async (request, response) => {
    const page = request.method === 'GET' ? pages[request.url ?? ''] : undefined;
    if (page !== undefined) {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(page()));
      return;
    }
    let answer: Answer;
    try {
      const call = readCall(request.headers, await readBody(request));
      answer = call === undefined ? notAws : await take(call, 0);
    } catch (error) {
      if (error instanceof NoAnswer) return withhold(error, response);
      // A part that does not answer is a fault of ours: a 5xx, which the SDK tries again.
      answer = { status: 503, headers: {}, body: Buffer.from(String(error)) };
    }
    response.writeHead(answer.status, { ...answer.headers, 'content-length': answer.body.length });
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};

/** In silence the connection stays open until the caller closes it. */
const withhold = ({ kind }: NoAnswer, response: ServerResponse): void => {
  if (kind === 'reset') response.socket?.resetAndDestroy();
};

const notAws: Answer = {
  status: 400,
  headers: { 'content-type': 'text/plain' },
  body: Buffer.from('The edge takes signed requests of an AWS SDK for DynamoDB, SQS and SES.\n'),
};

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};
