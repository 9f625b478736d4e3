/** Receivers on the loopback for tests of the sender: well-behaved over HTTP, or as raw sockets that misbehave as told. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server as NetServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

export interface Receiver {
  readonly port: number;
  /** Connections that were accepted. */
  readonly connections: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

const certificates = new URL('tls/', import.meta.url);

/** A file of `test/support/tls`. */
export const certificate = (name: string): string => readFileSync(new URL(name, certificates), 'utf8');

/** A receiver that speaks HTTP. */
export const startReceiver = (listener: RequestListener, address = '127.0.0.1'): Promise<Receiver> =>
  listen(createHttpServer(listener), address);

/** A receiver that speaks HTTPS with one of the certificates. */
export const startTlsReceiver = (
  name: 'valid' | 'expired' | 'self-signed',
  listener: RequestListener,
): Promise<Receiver> =>
  listen(
    createHttpsServer({ key: certificate(`${name}.key`), cert: certificate(`${name}.pem`) }, listener),
    '127.0.0.1',
  );

/** A receiver that does with each connection what it is told. */
export const startRawReceiver = (onConnection: (socket: Socket) => void): Promise<Receiver> =>
  listen(createTcpServer(onConnection), '127.0.0.1');

/** Listens in a thread that stands still, and has its queue of connections full already: the kernel takes no further one. */
export async function startDeafReceiver(): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    { eval: true },
  );
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // Linux takes one connection more than the backlog says.
  let queued = 0;
  await new Promise<void>((resolve) => {
    for (const filler of fillers)
      filler.once('connect', () => {
        queued += 1;
        if (queued === 2) resolve();
      });
  });
  return {
    port,
    stop: async () => {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}

/** Calls back when a request's end has come on a raw connection, for each of them. */
export function onRequest(socket: Socket, listener: () => void): void {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (;;) {
      const head = text.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
      if (text.length < head + 4 + length) return;
      text = text.slice(head + 4 + length);
      listener();
    }
  });
}

/** All that came in a request's body. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

async function listen(server: Server | NetServer, address: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The receiver has no port.');
  return {
    port: bound.port,
    connections: () => accepted,
    open: () => sockets.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
