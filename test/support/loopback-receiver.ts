/** Receivers on loopback for tests of the sender: correct ones over HTTP, or raw sockets with any behaviour. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { connect, createServer as createTcpServer, type Server as NetServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

const listen = async (server: Server | NetServer, address: string): Promise<Receiver> => {
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
};

export interface Receiver {
  readonly port: number;
  readonly connections: () => number;
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

const certificates = new URL('tls/', import.meta.url);

/** Reads a file of `test/support/tls`. */
export const certificate = (name: string): string => readFileSync(new URL(name, certificates), 'utf8');

/** Starts a receiver for HTTP. */
export const startReceiver = (listener: RequestListener, address = '127.0.0.1'): Promise<Receiver> =>
  listen(createHttpServer(listener), address);

/** Starts a receiver for HTTPS with one of the certificates. */
export const startTlsReceiver = (
  name: 'valid' | 'expired' | 'self-signed',
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<Receiver> =>
  listen(
    createHttpsServer({ key: certificate(`${name}.key`), cert: certificate(`${name}.pem`), ...options }, listener),
    '127.0.0.1',
  );

/** Starts a receiver that handles each connection with a function. */
export const startRawReceiver = (onConnection: (socket: Socket) => void): Promise<Receiver> =>
  listen(createTcpServer(onConnection), '127.0.0.1');

/** Listens in a blocked thread with a full queue of connections: the kernel accepts no further one. */
export const startDeafReceiver = async (): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> => {
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
  // Linux accepts one connection more than the backlog.
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
};

/** Calls back at the end of each request on a raw connection. */
export const onRequest = (socket: Socket, listener: () => void): void => {
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
};

/** Returns the whole body of a request. */
export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
};
