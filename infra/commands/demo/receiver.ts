/** The demo's receiver of webhooks: answers 200 and keeps the last requests, which it shows as JSON at a secret URL. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { belowSecret, guarded, type Listening, listen } from '../../emulator/loopback.ts';

export interface Receiver extends Listening {
  /** URL of the requests, with a secret: they hold what the platform published. */
  readonly received: string;
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

const maxRequests = 100;

/** Listens on this loopback port, so that webhooks of earlier runs reach it, or on a free one if it is in use. */
export const startReceiver = async (port: number): Promise<Receiver> => {
  const requests: ReceivedRequest[] = [];
  const secret = randomBytes(16).toString('hex');
  const show = belowSecret(secret, (_request, response) => response.end(JSON.stringify(requests)));
  const server = createServer(
    guarded(async (request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.method === 'GET') return show(request, response);
      requests.push(await read(request));
      requests.splice(0, requests.length - maxRequests);
      response.end('{"received":true}');
    }),
  );
  const listening = await listen(server, port).catch(() => listen(server));
  return { ...listening, received: `${listening.origin}/${secret}/requests` };
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
