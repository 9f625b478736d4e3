/** The demo's receiver of webhooks: answers 200 and remembers the last requests, which `GET /requests` gives as JSON. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import * as v from 'valibot';

export interface Receiver {
  readonly url: string;
  stop(): Promise<void>;
}

const requestSchema = v.object({
  /** Epoch ms. */
  at: v.number(),
  path: v.string(),
  /** Names in lower case. */
  headers: v.record(v.string(), v.string()),
  /** The exact text, which the signatures are over. */
  body: v.string(),
});

export type ReceivedRequest = v.InferOutput<typeof requestSchema>;
export const receivedRequests = v.array(requestSchema);

const remembered = 100;

/** Listens on this loopback port, so that webhooks of earlier runs find it again, or on a free one where it is taken. */
export const startReceiver = async (port: number): Promise<Receiver> => {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify(requests));
      return;
    }
    requests.push(await read(request));
    requests.splice(0, requests.length - remembered);
    response.end('{"received":true}');
  });
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }
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

const read = async (request: IncomingMessage): Promise<ReceivedRequest> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    at: Date.now(),
    path: request.url ?? '/',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
};
