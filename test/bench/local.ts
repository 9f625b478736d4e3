/**
 * Measures the speed of the local stack against its gates: start, publish → delivered, fan-out, webhooks a second. Prints a table; the
 * figures vary by a factor of up to two with the load of the machine, so each is the median of several rounds.
 *
 *   npm run bench
 */
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { now } from './clock.ts';
import { startCounter } from './counter.ts';
import { makeFigures, median, quantile } from './figures.ts';
import { publish, subscribe } from './stack.ts';

const createWebhooks = async ({ call, stack }: RunningStack, clients: number, count: number, name: string) => {
  const from = now();
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
  return count / ((now() - from) / 1000);
};

const latencies = async (running: RunningStack, event: string, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    const { title, at } = await publish(running, event);
    found.push((await receiver.all(title, 1)) - at);
  }
  return found;
};

/** Returns the deliveries per second, from publishing to the last arrival. */
const fanOut = async (running: RunningStack, event: string, count: number): Promise<number> => {
  const { title, at } = await publish(running, event);
  const end = await receiver.all(title, count);
  return count / ((end - at) / 1000);
};

const rounds = 5;
const subscribers = 300;

const { atLeast, atMost, print } = makeFigures();
const receiver = await startCounter();
const [origin = ''] = receiver.origins;
for (const [kind, args, warmGate] of [
  ['memory', ['--memory'], 700],
  ['files', [], 350],
] as const) {
  const home = temporaryHome();
  const running = await runStack(home.folder, ['--quiet', ...args]);
  if (kind === 'files') atMost('ready, template and bundles cached', running.readyMs, 'ms', 3000);
  await subscribe(running, origin, 'post.published', subscribers);
  const first = await fanOut(running, 'post.published', subscribers);
  if (kind === 'memory') atLeast(`first event of a fresh stack, ${subscribers} subscribers`, first, '/s', 150);
  for (let warmUp = 0; warmUp < 3; warmUp++) await fanOut(running, 'post.published', subscribers);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) rates.push(await fanOut(running, 'post.published', subscribers));
  atLeast(`${subscribers} subscribers, warm, ${kind}`, median(rates), '/s', warmGate);
  await subscribe(running, origin, 'page.published', 1);
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
receiver.stop();
print();
