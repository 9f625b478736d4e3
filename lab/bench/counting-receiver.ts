/**
 * Receivers in a separate process, each on its own port. They answer every POST with 200 and report in groups.
 *
 *   fork('counting-receiver.ts', [number of ports])
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { now } from './clock.ts';

const listen = (): Promise<number> => {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { port } = server.address() as AddressInfo;
      const arrival = { title: /"title":"([^"]+)"/.exec(body)?.[1] ?? '', port, path: request.url ?? '' };
      response.end();
      arrivals.push({ ...arrival, at: now() });
    });
  });
  server.keepAliveTimeout = 60_000;
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
};

export interface Arrival {
  readonly title: string;
  readonly port: number;
  readonly path: string;
  /** When it arrived, on the clock of `clock.ts`. */
  readonly at: number;
}

export type Report =
  | { readonly kind: 'ready'; readonly ports: readonly number[] }
  | { readonly kind: 'arrived'; readonly arrivals: readonly Arrival[] };

/** Reports are sent in groups: a message per request would use CPU that the measured stack needs. */
const reportEveryMs = 10;

const send = (report: Report) => process.send?.(report);
let arrivals: Arrival[] = [];

const ports = await Promise.all(Array.from({ length: Number(process.argv[2] ?? 1) }, listen));
setInterval(() => {
  if (arrivals.length > 0) send({ kind: 'arrived', arrivals });
  arrivals = [];
}, reportEveryMs);
process.once('disconnect', () => process.exit());
send({ kind: 'ready', ports });
