/** HTTP servers on loopback for this machine's programs: they refuse what a browser sends for a foreign page. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

export interface Listening {
  readonly port: number;
  /** Such as `http://127.0.0.1:3368`. */
  readonly origin: string;
  stop(): Promise<void>;
}

/** Listens on 127.0.0.1; port 0 chooses a free one. Rejects with Node's error, such as `EADDRINUSE`. */
export const listen = async (server: Server, port = 0): Promise<Listening> => {
  // Only clients close idle connections: on a busy machine, the server could close one on which a request arrives.
  server.keepAliveTimeout = 0;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.');
  return {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const triedPorts = 20;

/** A stack has four ports in a row. Step by four, so that stacks don't share ports. */
const step = 4;

/** Listens on this port or, if it is in use, on the first free one in steps of four; port 0 chooses a free one. */
export const listenNear = async (server: Server, port = 0): Promise<Listening> => {
  const end = Math.min(port + triedPorts * step, 65_536);
  for (let next = port; next > 0 && next < end; next += step)
    try {
      return await listen(server, next);
    } catch (error) {
      if (!isPortInUse(error)) throw error;
    }
  return listen(server);
};

/** Returns whether an error means that the port is in use, or reserved by the system. */
export const isPortInUse = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES');

/**
 * Answers 403 if `Host` is not the server's own address (DNS rebinding: a page's name resolves to this machine), or if
 * `Origin` is another site (its forms and scripts).
 */
export const guarded =
  (listener: RequestListener, allowedOrigins: readonly string[] = []): RequestListener =>
  (request, response) => {
    const { host = '', origin } = request.headers;
    const own = `127.0.0.1:${request.socket.localPort}`;
    const isOwn = (address: string) => address === own || address === own.replace('127.0.0.1', 'localhost');
    if (!isOwn(host)) return refuse(response, `Host ${host} is not ${own}. Open http://${own}/ instead.`);
    if (origin === undefined || isOwn(origin.replace('http://', '')) || isPrivatePost(request))
      return listener(request, response);
    if (allowedOrigins.includes(origin)) return listener(request, response);
    return refuse(response, `Origin ${origin} is not allowed.`);
  };

/** With `no-referrer`, our forms send Origin `null` like foreign sandboxed pages; `Sec-Fetch-Site` tells which. */
const isPrivatePost = ({ headers }: IncomingMessage): boolean =>
  headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin';

/** Serves requests below `/<secret>`, with paths as if they were at the root, and refuses all others. */
export const belowSecret =
  (secret: string, listener: RequestListener): RequestListener =>
  (request, response) => {
    const [, first, rest = '/'] = /^\/(\w+)(\/.*)?$/.exec(request.url ?? '') ?? [];
    if (first !== secret) return refuse(response, 'The path needs the secret in stack.json.');
    request.url = rest;
    return listener(request, response);
  };

const refuse = (response: ServerResponse, reason: string): void => {
  response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`${reason}\n`);
};
