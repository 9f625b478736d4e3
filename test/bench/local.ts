/**
 * How quick the local stack is, beside the gates: start, publish → delivered, fan-out, webhooks a second. Prints a table; the
 * figures vary by a factor of up to two with what else the machine does, so each is the median of several rounds.
 *
 *   npm run bench
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';

const rounds = 5;
const subscribers = 300;

interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** At least, or at most, this. */
  readonly gate: number;
  readonly atLeast: boolean;
}

const rows: Row[] = [];
const atLeast = (what: string, value: number, unit: string, gate: number) =>
  rows.push({ what, value, unit, gate, atLeast: true });
const atMost = (what: string, value: number, unit: string, gate: number) =>
  rows.push({ what, value, unit, gate, atLeast: false });

const receiver = await startCounter();
for (const [kind, args, warmGate] of [
  ['memory', ['--memory'], 700],
  ['files', [], 350],
] as const) {
  const home = temporaryHome();
  const running = await runStack(home.folder, args);
  if (kind === 'files') atMost('ready, template and bundles cached', running.readyMs, 'ms', 3000);
  await subscribe(running, 'post.published', subscribers);
  const first = await fanOut(running, 'post.published', subscribers);
  if (kind === 'memory') atLeast(`first event of a fresh stack, ${subscribers} subscribers`, first, '/s', 150);
  for (let warmUp = 0; warmUp < 3; warmUp++) await fanOut(running, 'post.published', subscribers);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) rates.push(await fanOut(running, 'post.published', subscribers));
  atLeast(`${subscribers} subscribers, warm, ${kind}`, median(rates), '/s', warmGate);
  await subscribe(running, 'page.published', 1);
  await latencies(running, 'page.published', 50);
  const idle = await latencies(running, 'page.published', 200);
  atMost(`publish → delivered, one subscriber, p50, ${kind}`, quantile(idle, 0.5), 'ms', 50);
  atMost(`publish → delivered, one subscriber, p99, ${kind}`, quantile(idle, 0.99), 'ms', 150);
  if (kind === 'memory') {
    const created: number[] = [];
    for (let round = 0; round < rounds + 1; round++) created.push(await createWebhooks(running, 8, 400, `c${round}`));
    atLeast('webhooks created by 8 clients', median(created.slice(1)), '/s', 300);
  }
  const { ms } = await running.end('SIGINT');
  atMost(`Ctrl-C, ${kind}`, ms, 'ms', 2000);
  home.remove();
}
receiver.server.close();
receiver.server.closeAllConnections();

for (const { what, value, unit, gate, atLeast: least } of rows) {
  const good = least ? value >= gate : value <= gate;
  const limit = `${least ? '≥' : '≤'} ${gate} ${unit}`;
  console.log(`${good ? ' ' : '✗'} ${what.padEnd(52)} ${value.toFixed(0).padStart(6)} ${unit.padEnd(3)} ${limit}`);
  if (!good) process.exitCode = 1;
}

/** Counts what arrives, by the event's title. */
async function startCounter() {
  const arrivals = new Map<string, { times: number[]; paths: Set<string>; wake?: () => void }>();
  const of = (title: string) => {
    const found = arrivals.get(title) ?? { times: [], paths: new Set<string>() };
    arrivals.set(title, found);
    return found;
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      response.end();
      const arrival = of(/"title":"([^"]+)"/.exec(body)?.[1] ?? '');
      arrival.times.push(performance.now());
      arrival.paths.add(request.url ?? '');
      arrival.wake?.();
    });
  });
  server.keepAliveTimeout = 60_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return {
    server,
    origin: `http://127.0.0.1:${address.port}`,
    /** Resolves with the time of the last of so many deliveries of a title. */
    async all(title: string, count: number): Promise<number> {
      const arrival = of(title);
      while (arrival.times.length < count)
        await new Promise<void>((resolve) => {
          arrival.wake = resolve;
        });
      if (arrival.paths.size !== count) throw new Error(`${count} deliveries went to ${arrival.paths.size} targets`);
      return Math.max(...arrival.times);
    },
  };
}

async function subscribe({ call, stack }: RunningStack, event: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const webhook = { event, target_url: `${receiver.origin}/${event}/${index}`, secret: 'a secret' };
      const answer = await call('POST', '/admin/webhooks/', {
        key: stack.integrationKey,
        body: { webhooks: [webhook] },
      });
      if (answer.status !== 201) throw new Error(`creating a webhook: ${answer.status} ${answer.text}`);
    }),
  );
}

async function publish({ call, stack }: RunningStack, event: string): Promise<{ title: string; at: number }> {
  const title = crypto.randomUUID();
  const key = event.split('.')[0] ?? '';
  const payload = { [key]: { current: { title, html: 'x'.repeat(900) }, previous: {} } };
  const at = performance.now();
  const answer = await call('POST', '/admin/events/', {
    key: stack.integrationKey,
    body: { events: [{ event, payload }] },
  });
  if (answer.status !== 202) throw new Error(`publishing: ${answer.status} ${answer.text}`);
  return { title, at };
}

/** Deliveries a second, from the publishing to the last arrival. */
async function fanOut(running: RunningStack, event: string, count: number): Promise<number> {
  const { title, at } = await publish(running, event);
  const end = await receiver.all(title, count);
  return count / ((end - at) / 1000);
}

async function latencies(running: RunningStack, event: string, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    const { title, at } = await publish(running, event);
    found.push((await receiver.all(title, 1)) - at);
  }
  return found;
}

async function createWebhooks({ call, stack }: RunningStack, clients: number, count: number, name: string) {
  const from = performance.now();
  let next = 0;
  const client = async () => {
    while (next < count) {
      const webhook = { event: 'tag.added', target_url: `https://example.com/${name}/${next++}` };
      const answer = await call('POST', '/admin/webhooks/', {
        key: stack.integrationKey,
        body: { webhooks: [webhook] },
      });
      if (answer.status !== 201) throw new Error(`creating a webhook: ${answer.status} ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return count / ((performance.now() - from) / 1000);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}
