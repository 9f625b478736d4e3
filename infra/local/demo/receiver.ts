/** The demo's receiver of webhooks: answers as path or page say, and shows the last requests at secret URLs. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { belowSecret, guarded, type Listening, listenNear } from '../../emulator/loopback.ts';
import { type Behaviour, behaviourOf, behaviours, isBehaviour } from './behaviours.ts';
import type { ReceivedRequest } from './received-request.ts';
import { contentSecurityPolicy, receiverPage } from './receiver-page.ts';

export interface Receiver extends Listening {
  /** URL of the page, with a secret: the requests hold what the platform published. */
  readonly page: string;
  /** URL of the requests as JSON, with the same secret. */
  readonly received: string;
}

const maxRequests = 100;

/**
 * Listens on this loopback port, so that webhooks of earlier runs reach it, or near it if it is in use.
 * @param secretsOf returns the secrets of the webhooks whose target has this origin
 */
export const startReceiver = async (
  port: number,
  secretsOf: (origin: string) => Promise<readonly string[]>,
): Promise<Receiver> => {
  const requests: ReceivedRequest[] = [];
  let behaviour: Behaviour = 'ok';
  const secret = randomBytes(16).toString('hex');
  const showPage = async (response: ServerResponse) => {
    const html = receiverPage({
      requests,
      secrets: await secretsOf(listening.origin).catch(() => []),
      target: `${listening.origin}/hook`,
      behaviour,
    });
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('Cache-Control', 'no-store');
    response.end(html);
  };
  const show = belowSecret(secret, async (request, response) => {
    if (request.url === '/') return showPage(response);
    const [, chosen = ''] = /^\/behaviour\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (request.method === 'POST' && isBehaviour(chosen)) {
      behaviour = chosen;
      return response.writeHead(204).end();
    }
    response.statusCode = request.url === '/requests' ? 200 : 404;
    response.end(request.url === '/requests' ? JSON.stringify(requests) : '{}');
  });
  const server = createServer(
    guarded(async (request, response) => {
      // A webhook may have the page's own URL as its target: it is the one that the start screen shows.
      if (request.method === 'GET' || request.url?.startsWith(`/${secret}/behaviour/`)) {
        response.setHeader('Content-Type', 'application/json');
        return show(request, response);
      }
      requests.push(await read(request));
      requests.splice(0, requests.length - maxRequests);
      await behaviours[behaviourOf(request.url ?? '') ?? behaviour].answer(response);
    }),
  );
  const listening = await listenNear(server, port);
  const page = `${listening.origin}/${secret}/`;
  return { ...listening, page, received: `${page}requests` };
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
