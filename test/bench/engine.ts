/**
 * How the engine does on the local stack, beside the gates: what it sustains, what a receiver that hangs takes from the others,
 * and what a delivery costs in write units and queue requests. Prints a table. The machine's cores are the measure of the
 * first part: what else they do meanwhile is missing there.
 *
 *   npm run bench:engine -- [sustained] [isolation] [units]     all three where none is named
 */
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { type Counts, countsSchema } from '../../infra/emulator/edge/count.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { startCounter, targetOf } from './counter.ts';
import { makeFigures, quantile } from './figures.ts';
import { type Published, publish, publishSteadily, subscribe } from './stack.ts';

const { atLeast, atMost, note, print } = makeFigures();
const parts: Readonly<Record<string, () => Promise<void>>> = {
  async sustained() {
    await sustain('memory', ['--memory'], 1000);
    await sustain('files', [], 450);
  },
  isolation: isolate,
  units: countUnits,
};
const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(', ')}.`);
for (const [name, measure] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) await measure();
print();

/** Offers a little more than `target` deliveries a second for 15 s, and looks what has arrived by then. */
async function sustain(kind: string, args: readonly string[], target: number): Promise<void> {
  const seconds = 15;
  const subscribers = 100;
  const perSecond = (target * 1.05) / subscribers;
  const count = Math.ceil(seconds * perSecond);
  const counter = await startCounter();
  await onStack(args, async (running) => {
    await subscribe(running, counter.origins[0] ?? '', 'post.published', subscribers);
    // So that the receiver is in the fast lane, and the code is compiled.
    for (let warmUp = 0; warmUp < 30; warmUp++)
      await counter.all((await publish(running, 'post.published')).title, subscribers);
    counter.forget();
    const published = await publishSteadily(running, 'post.published', { count, perSecond });
    const expected = count * subscribers;
    // What is only late is not lost.
    await counter.arrived(expected, 60_000);
    // Whatever comes too much would come now.
    await counter.arrived(expected + 1, 2000);
    const began = published[0]?.at ?? Number.NaN;
    const end = began + seconds * 1000;
    const arrivals = counter.arrivals();
    const inTime = arrivals.filter(({ at }) => at <= end).length;
    const distinct = new Set(arrivals.map((arrival) => `${arrival.title} ${targetOf(arrival)}`)).size;
    atLeast(`sustained over ${seconds} s, ${kind}`, inTime / seconds, '/s', target);
    note('  published and not yet delivered at the end', expected - inTime, '');
    atMost('  the last of them came after', Math.max(0, Math.max(...arrivals.map(({ at }) => at)) - end), 'ms', 1000);
    atMost('  not there a minute later', expected - distinct, '', 0);
    atMost('  delivered twice', arrivals.length - distinct, '', 0);
  });
  counter.stop();
}

/** Rounds in which the tenth receiver stops answering at their beginning, between rounds in which it answers. */
async function isolate(): Promise<void> {
  const pairs = 4;
  const event = 'post.published';
  const perSecond = 15;
  const others = 9;
  /** A breaker's first opening, and as much again as half of it to spread those that wait. */
  const longestWaitMs = 15_000;
  // Each round has a tenth of its own, whose past is none of the other rounds'.
  const counter = await startCounter(others + 1 + 2 * pairs);
  const tenths = counter.origins.slice(others);
  const latencies: Record<'none' | 'one', number[]> = { none: [], one: [] };
  let lost = 0;
  await onStack(['--memory'], async (running) => {
    for (const origin of counter.origins.slice(0, others)) await subscribe(running, origin, event, 1);
    await publishSteadily(running, event, { count: 150, perSecond });
    await counter.arrived(150 * others, 10_000);
    counter.forget();
    // Not counted: it starts as many environments of both lanes as will be needed, whose start on AWS takes nobody else's CPU.
    await round(running, tenths.pop() ?? '', 'one');
    for (let pair = 0; pair < pairs; pair++)
      for (const kind of pair % 2 === 0 ? (['none', 'one'] as const) : (['one', 'none'] as const))
        latencies[kind].push(...(await round(running, tenths.pop() ?? '', kind)));
  });
  counter.stop();
  const [none, one] = [quantile(latencies.none, 0.99), quantile(latencies.one, 0.99)];
  note(`p99 of nine receivers, all ten answer (${latencies.none.length} deliveries)`, none, 'ms');
  note(`p99 of nine receivers, the tenth hangs (${latencies.one.length} deliveries)`, one, 'ms');
  atMost('  ratio', one / none, '', 1.2);
  atMost('  lost, of both', lost, '', 0);

  async function round(running: RunningStack, tenth: string, kind: 'none' | 'one'): Promise<number[]> {
    const [webhook = ''] = await subscribe(running, tenth, event, 1);
    // By then it has earned the fast lane, where it could do most harm.
    const before = await publishSteadily(running, event, { count: 45, perSecond });
    await counter.arrived(before.length * (others + 1), 10_000);
    counter.forget();
    if (kind === 'one') counter.hang(tenth, true);
    const published = await publishSteadily(running, event, { count: 200, perSecond });
    await counter.arrived(published.length * (others + (kind === 'none' ? 1 : 0)), 10_000);
    const found = latenciesOf(published, tenth);
    lost += published.length * others - found.size;
    counter.hang(tenth, false);
    await running.call('DELETE', `/admin/webhooks/${webhook}/`, { key: running.stack.integrationKey });
    // What waited for the one that hung comes up once more, finds its webhook gone, and must not be the next round's load.
    if (kind === 'one') await wait(longestWaitMs);
    counter.forget();
    return [...found.values()];
  }

  /** By title and target; of what came twice the first counts. */
  function latenciesOf(published: readonly Published[], tenth: string): ReadonlyMap<string, number> {
    const began = new Map(published.map(({ title, at }) => [title, at]));
    const found = new Map<string, number>();
    for (const arrival of counter.arrivals()) {
      const [from, target] = [began.get(arrival.title), targetOf(arrival)];
      const name = `${arrival.title} ${target}`;
      if (from !== undefined && !target.startsWith(tenth) && !found.has(name)) found.set(name, arrival.at - from);
    }
    return found;
  }
}

/** Counts, at the edge, what deliveries use whose first try succeeds: nothing of it is estimated. */
async function countUnits(): Promise<void> {
  const counter = await startCounter();
  const origin = counter.origins[0] ?? '';
  await onStack(['--memory'], async (running) => {
    await use(running, 'page.published', 10, 100);
    await use(running, 'post.published', 300, 10);
  });
  counter.stop();

  async function use(running: RunningStack, event: string, subscribers: number, count: number): Promise<void> {
    await subscribe(running, origin, event, subscribers);
    const before = await used(running);
    counter.forget();
    await publishSteadily(running, event, { count, perSecond: 300 / subscribers });
    await counter.arrived(count * subscribers, 30_000);
    // Their ends are recorded and their messages deleted.
    await counter.arrived(count * subscribers + 1, 1500);
    const deliveries = counter.arrivals().length;
    const after = await used(running);
    const writeUnits = (after.writeUnits - before.writeUnits) / deliveries;
    const queueRequests = (after.queueRequests - before.queueRequests) / deliveries;
    atMost(`write units a delivery, fan-out of ${subscribers}`, writeUnits, '', 1.4);
    if (subscribers < 300) note(`queue requests a delivery, fan-out of ${subscribers}`, queueRequests, '');
    else atMost(`queue requests a delivery, fan-out of ${subscribers}`, queueRequests, '', 0.35);
  }
}

async function used({ stack }: RunningStack): Promise<{ writeUnits: number; queueRequests: number }> {
  const counts: Counts = v.parse(countsSchema, await (await fetch(`${stack.edge}/counts`)).json());
  const all = Object.values(counts.functions);
  return {
    writeUnits: all.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    queueRequests: all.reduce((sum, { queueRequests }) => sum + queueRequests, 0),
  };
}

async function onStack(args: readonly string[], measure: (running: RunningStack) => Promise<void>): Promise<void> {
  const home = temporaryHome();
  const running = await runStack(home.folder, args);
  try {
    await measure(running);
  } finally {
    await running.end('SIGINT');
    home.remove();
  }
}
