/** A receiver of webhooks for tests of the whole stack: records requests, and responds as configured. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '../../infra/emulator/loopback.ts';

export interface Delivery {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text. */
  readonly body: string;
}

export interface WebhookReceiver {
  readonly origin: string;
  readonly deliveries: readonly Delivery[];
  /** Resolves when a number of deliveries have arrived at this path. */
  received(path: string, count: number): Promise<readonly Delivery[]>;
  close(): void;
}

const ok = (response: ServerResponse) => response.end('ok');

/** Drops connections, and keeps the port: webhooks still target it, and another process could get it. */
const closed = (server: Server): void => {
  server.on('connection', (socket) => socket.destroy());
  server.closeAllConnections();
  server.unref();
};

/** Listens on a free loopback port; `answer` is called after a delivery was recorded, and may not respond. */
export const receiveWebhooks = async (
  answer: (response: ServerResponse, delivery: Delivery) => void = ok,
): Promise<WebhookReceiver> => {
  const deliveries: Delivery[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const delivery = await read(request);
    deliveries.push(delivery);
    answer(response, delivery);
    for (const look of waiting) look();
  });
  const { origin } = await listen(server);
  return {
    origin,
    deliveries,
    received(path, count) {
      return new Promise((resolve) => {
        const look = () => {
          const found = deliveries.filter((delivery) => delivery.path === path);
          if (found.length < count) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    close: () => closed(server),
  };
};

const read = async (request: IncomingMessage): Promise<Delivery> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    path: request.url ?? '/',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
};
