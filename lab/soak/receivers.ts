/** The receivers of a soak, good and bad, and their ledger of what came, which asks the stack for nothing. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** How a receiver behaves; the share of each is in `behaviours`. */
type Behaviour = 'good' | 'flaky' | 'slow' | 'hanging' | 'busy' | 'down for a while';

/** One for each webhook, in this order and then from the start. */
export const behaviours: readonly Behaviour[] = [
  'good',
  'flaky',
  'good',
  'slow',
  'good',
  'busy',
  'good',
  'hanging',
  'good',
  'down for a while',
];

interface Entry {
  /** Times in epoch ms at which a delivery was answered with 2xx, by delivery id. */
  readonly answered: Map<string, number[]>;
}

export interface Ledger {
  readonly origin: string;
  counts(): { readonly requests: number; readonly succeeded: number };
  /** Whether this event was answered with 2xx at this path. */
  has(path: string, event: string): boolean;
  /** Deliveries that came again after a 2xx: the times of both. */
  repeated(): readonly { readonly path: string; readonly first: number; readonly again: number }[];
  /** Events that came to a path as two deliveries, neither of which was requested. */
  twice(): number;
  recover(): void;
  close(): void;
}

/** Starts it. @param isDown whether the receivers that are down for a while are down now */
export const keepLedger = async (random: () => number, isDown: () => boolean): Promise<Ledger> => {
  const entries = new Map<string, Entry>();
  let recovered = false;
  let requests = 0;
  let succeeded = 0;
  const server = createServer(async (request, response) => {
    await text(request);
    requests += 1;
    const path = request.url ?? '';
    const succeed = () => {
      succeeded += 1;
      if (request.headers['masthead-trigger'] === 'event') {
        // The id that its publisher gave it.
        const [event] = String(request.headers['masthead-event-id']).split('.');
        const key = `${path} ${event}`;
        const entry = entries.get(key) ?? { answered: new Map() };
        const delivery = String(request.headers['webhook-id']);
        entry.answered.set(delivery, [...(entry.answered.get(delivery) ?? []), Date.now()]);
        entries.set(key, entry);
      }
      response.end('ok');
    };
    const behaviour = behaviours[Number(path.split('/').at(-1)) % behaviours.length] ?? 'good';
    if (recovered) succeed();
    else behave(behaviour, { random, isDown, response, succeed });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    counts: () => ({ requests, succeeded }),
    has: (path, event) => entries.has(`${path} ${event}`),
    repeated: () =>
      [...entries].flatMap(([key, { answered }]) =>
        [...answered.values()].flatMap(([first = 0, ...others]) =>
          others.map((again) => ({ path: key.split(' ')[0] ?? '', first, again })),
        ),
      ),
    twice: () => [...entries.values()].filter(({ answered }) => answered.size > 1).length,
    recover() {
      recovered = true;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
};

interface Request {
  readonly random: () => number;
  readonly isDown: () => boolean;
  readonly response: ServerResponse;
  readonly succeed: () => void;
}

const behave = (behaviour: Behaviour, { random, isDown, response, succeed }: Request): void => {
  const chance = random();
  const refuse = (status: number, headers: Record<string, string> = {}) => response.writeHead(status, headers).end();
  if (behaviour === 'flaky' && chance < 0.2) refuse(500);
  else if (behaviour === 'busy' && chance < 0.1) refuse(429, { 'Retry-After': '2' });
  else if (behaviour === 'down for a while' && isDown()) refuse(503);
  else if (behaviour === 'slow') setTimeout(succeed, 200 + chance * 700);
  // Without an answer: Masthead gives up after ten seconds.
  else if (behaviour !== 'hanging' || chance >= 0.02) succeed();
};
