/** Receivers of the cost profiles: all answer with 200 after 50 ms, or every tenth request fails, or one receiver hangs. They count bytes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';

/** How the receivers behave: with `failing` every tenth request gets 500; with `hanging` one of ten receivers does not answer. */
export type Behaviour = 'healthy' | 'failing' | 'hanging';

export const receiverMs = 50;
const failingShare = 0.1;

export interface Receivers {
  /** Returns the target URL of a webhook by its number. */
  target(number: number): string;
  behave(behaviour: Behaviour): void;
  /** Counts from zero again. */
  forget(): void;
  /** Requests answered with 200, requests that failed or hung, and the bytes of all: request line, headers and bodies. */
  counts(): { readonly delivered: number; readonly refused: number; readonly bytes: number };
  stop(): void;
}

/** Starts the receivers in this process, because counts do not depend on its speed. */
export const startReceivers = async (): Promise<Receivers> => {
  const random = randomNumbers(1);
  let behaviour: Behaviour = 'healthy';
  let [delivered, refused, bytes] = [0, 0, 0];
  const server = createServer((request, response) => {
    const { rawHeaders, url = '' } = request;
    bytes += `POST ${url} HTTP/1.1\r\n\r\n`.length;
    for (const text of rawHeaders) bytes += text.length + 2;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      if (behaviour === 'hanging' && url.endsWith('0')) {
        refused++;
        return;
      }
      const isRefused = behaviour === 'failing' && random() < failingShare;
      if (isRefused) refused++;
      else delivered++;
      setTimeout(() => response.writeHead(isRefused ? 500 : 200).end(), receiverMs);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    // Each webhook has its own path; the receiver of every tenth one can hang.
    target: (number) => `http://127.0.0.1:${port}/receiver/${number}`,
    behave(next) {
      behaviour = next;
    },
    forget() {
      [delivered, refused, bytes] = [0, 0, 0];
    },
    counts: () => ({ delivered, refused, bytes }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
};
