/**
 * Receivers in a separate process, each on its own port. They answer every POST with 200 and report the requests to the parent in groups.
 * The parent can make any of them hang: it then accepts requests without answering them.
 *
 *   fork('counting-receiver.ts', [number of ports])
 */
import { createServer, type ServerResponse } from 'node:http';
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
      const waiting = hanging.get(port);
      if (waiting !== undefined) {
        waiting.push({ response, arrival });
        return;
      }
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
  /** The title of the event. */
  readonly title: string;
  readonly port: number;
  readonly path: string;
  /** When it arrived, on the clock of `clock.ts`. */
  readonly at: number;
}

export type Report =
  | { readonly kind: 'ready'; readonly ports: readonly number[] }
  | { readonly kind: 'arrived'; readonly arrivals: readonly Arrival[] };

/** Makes this port hang, or answer again; then it also answers the requests that wait. */
export interface Order {
  readonly port: number;
  readonly hangs: boolean;
}

/** Reports are sent in groups: a message per request would use CPU that the measured stack needs. */
const reportEveryMs = 10;

const send = (report: Report) => process.send?.(report);
/** By port: the responses that hang, each with the arrival to report once it is sent. */
const hanging = new Map<number, { readonly response: ServerResponse; readonly arrival: Omit<Arrival, 'at'> }[]>();
let arrivals: Arrival[] = [];

const ports = await Promise.all(Array.from({ length: Number(process.argv[2] ?? 1) }, listen));
setInterval(() => {
  if (arrivals.length > 0) send({ kind: 'arrived', arrivals });
  arrivals = [];
}, reportEveryMs);
process.on('message', ({ port, hangs }: Order) => {
  for (const { response, arrival } of hanging.get(port) ?? []) {
    // The sender has aborted some of these requests and will repeat them.
    if (response.destroyed) continue;
    response.end();
    arrivals.push({ ...arrival, at: now() });
  }
  if (hangs) hanging.set(port, []);
  else hanging.delete(port);
});
process.once('disconnect', () => process.exit());
send({ kind: 'ready', ports });
