/**
 * Measures the engine on the local stack against its gates: the sustained rate, the effect of a hanging receiver on the others,
 * and the write units and queue requests of a delivery. Prints a table. The first part depends on the cores of the machine
 * and on their other load.
 *
 *   npm run bench:engine -- [sustained] [isolation] [backlog] [units]     all of them where none is named
 */
import * as v from 'valibot';
import { type Counts, countsSchema } from '../../infra/emulator/edge/count.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { startCounter, targetOf } from './counter.ts';
import { makeFigures } from './figures.ts';
import { measureBacklog, measureIsolation } from './isolation.ts';
import { publish, publishSteadily, subscribe } from './stack.ts';

const onStack = async (args: readonly string[], measure: (running: RunningStack) => Promise<void>): Promise<void> => {
  const home = temporaryHome();
  const running = await runStack(home.folder, ['--quiet', ...args]);
  try {
    await measure(running);
  } finally {
    await running.end('SIGINT');
    home.remove();
  }
};

const used = async ({ stack }: RunningStack): Promise<{ writeUnits: number; queueRequests: number }> => {
  const counts: Counts = v.parse(countsSchema, await (await fetch(`${stack.edge}/counts`)).json());
  const all = Object.values(counts.functions);
  return {
    writeUnits: all.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    queueRequests: all.reduce((sum, { queueRequests }) => sum + queueRequests, 0),
  };
};

/** Counts at the edge what deliveries use whose first attempt succeeds. */
const countUnits = async (): Promise<void> => {
  const use = async (running: RunningStack, event: string, subscribers: number, count: number): Promise<void> => {
    await subscribe(running, origin, event, subscribers);
    const before = await used(running);
    counter.forget();
    await publishSteadily(running, event, { count, perSecond: 300 / subscribers });
    await counter.arrived(count * subscribers, 30_000);
    // Their results are recorded and their messages deleted.
    await counter.arrived(count * subscribers + 1, 1500);
    const deliveries = counter.arrivals().length;
    const after = await used(running);
    const writeUnits = (after.writeUnits - before.writeUnits) / deliveries;
    const queueRequests = (after.queueRequests - before.queueRequests) / deliveries;
    atMost(`write units a delivery, fan-out of ${subscribers}`, writeUnits, '', 1.4);
    if (subscribers < 300) note(`queue requests a delivery, fan-out of ${subscribers}`, queueRequests, '');
    else atMost(`queue requests a delivery, fan-out of ${subscribers}`, queueRequests, '', 0.35);
  };

  const counter = await startCounter();
  const origin = counter.origins[0] ?? '';
  await onStack(['--memory'], async (running) => {
    await use(running, 'page.published', 10, 100);
    await use(running, 'post.published', 300, 10);
  });
  counter.stop();
};

/** Offers slightly more than `target` deliveries a second for 15 s, and counts the arrived ones. */
const sustain = async (kind: string, args: readonly string[], target: number): Promise<void> => {
  const seconds = 15;
  const subscribers = 100;
  const perSecond = (target * 1.05) / subscribers;
  const count = Math.ceil(seconds * perSecond);
  const counter = await startCounter();
  await onStack(args, async (running) => {
    await subscribe(running, counter.origins[0] ?? '', 'post.published', subscribers);
    // Warm-up, so that the code is compiled.
    for (let warmUp = 0; warmUp < 30; warmUp++)
      await counter.all((await publish(running, 'post.published')).title, subscribers);
    counter.forget();
    const published = await publishSteadily(running, 'post.published', { count, perSecond });
    const expected = count * subscribers;
    // Late deliveries are not lost.
    await counter.arrived(expected, 60_000);
    // Duplicates would arrive now.
    await counter.arrived(expected + 1, 2000);
    const began = published[0]?.at ?? Number.NaN;
    const end = began + seconds * 1000;
    const arrivals = counter.arrivals();
    const inTime = arrivals.filter(({ at }) => at <= end).length;
    const distinct = new Set(arrivals.map((arrival) => `${arrival.title} ${targetOf(arrival)}`)).size;
    atLeast(`sustained over ${seconds} s, ${kind}`, inTime / seconds, '/s', target);
    note('  published and not yet delivered at the end', expected - inTime, '');
    atMost('  the last of them came after', Math.max(0, Math.max(...arrivals.map(({ at }) => at)) - end), 'ms', 1000);
    atMost('  missing a minute later', expected - distinct, '', 0);
    atMost('  delivered twice', arrivals.length - distinct, '', 0);
  });
  counter.stop();
};

const figures = makeFigures();
const { atLeast, atMost, note, print } = figures;
const parts: Readonly<Record<string, () => Promise<void>>> = {
  async sustained() {
    await sustain('memory', ['--memory'], 1000);
    await sustain('files', [], 450);
  },
  isolation: () => onStack(['--memory'], (running) => measureIsolation(running, figures)),
  backlog: () => onStack(['--memory'], (running) => measureBacklog(running, figures)),
  units: countUnits,
};
const named = process.argv.slice(2);
if (named.includes('--help')) {
  console.log(`npm run bench:engine -- [${Object.keys(parts).join('] [')}]     all of them where none is named`);
  process.exit();
}
const unknown = named.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) throw new Error(`Unknown part ${unknown}; must be one of ${Object.keys(parts).join(', ')}.`);
for (const [name, measure] of Object.entries(parts)) if (named.length === 0 || named.includes(name)) await measure();
print();
