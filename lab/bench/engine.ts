/**
 * `npm --prefix lab run bench:engine`: measures the engine on the local stack against its gates: how a hanging receiver affects the others, and the
 * write units and queue requests of a delivery. Prints a table. `npm --prefix lab run bench` measures speed.
 */
import { Argument } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { command, run } from '../../infra/command-line/command.ts';
import { UsageError } from '../../infra/command-line/exit-codes.ts';
import { type Counts, countsSchema } from '../../infra/emulator/proxy/count.ts';
import { type RunningStack, runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { writeSection } from '../page-section.ts';
import { type Counter, withCounter } from './counter.ts';
import { makeFigures } from './figures.ts';
import { headRevision } from './head-revision.ts';
import { type Isolation, measureBacklog, measureIsolation } from './isolation.ts';
import { publishSteadily, subscribe } from './stack/load.ts';

const onStack = async (measure: (running: RunningStack) => Promise<void>): Promise<void> => {
  const home = temporaryHome();
  const running = await runStack(home.folder, ['--quiet', '--memory']);
  try {
    await measure(running);
  } finally {
    await running.end('SIGINT');
    home.remove();
  }
};

const used = async ({ stack }: RunningStack): Promise<{ writeUnits: number; queueRequests: number }> => {
  const counts: Counts = v.parse(countsSchema, await (await fetch(`${stack.proxy}/counts`)).json());
  const all = Object.values(counts.functions);
  return {
    writeUnits: all.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    queueRequests: all.reduce((sum, { queueRequests }) => sum + queueRequests, 0),
  };
};

/** Counts at the proxy what deliveries use when their first attempt succeeds. */
const countUnits = async (counter: Counter): Promise<void> => {
  const use = async (running: RunningStack, event: string, subscribers: number, count: number): Promise<void> => {
    await subscribe(running, origin, event, subscribers);
    const before = await used(running);
    counter.forget();
    await publishSteadily(running, event, { count, perSecond: 300 / subscribers });
    await counter.arrived(count * subscribers, 30_000);
    // Wait until their results are recorded and their messages deleted.
    await counter.arrived(count * subscribers + 1, 1500);
    const deliveries = counter.arrivals().length;
    const after = await used(running);
    const writeUnits = (after.writeUnits - before.writeUnits) / deliveries;
    const queueRequests = (after.queueRequests - before.queueRequests) / deliveries;
    atMost(`write units a delivery, fan-out of ${subscribers}`, writeUnits, '', 1.4);
    if (subscribers < 300) note(`queue requests a delivery, fan-out of ${subscribers}`, queueRequests, '');
    else atMost(`queue requests a delivery, fan-out of ${subscribers}`, queueRequests, '', 0.35);
  };

  const origin = counter.origins[0] ?? '';
  await onStack(async (running) => {
    await use(running, 'page.published', 10, 100);
    await use(running, 'post.published', 300, 10);
  });
};

/** The section of lab/reports/scale.md. */
const writePage = (): void => {
  const rows = isolations.map(({ hanging, situation, worstMs, p99BeforeMs, p99KnownMs, lost, repeated }) => {
    const [worst, before, known] = [worstMs, p99BeforeMs, p99KnownMs].map((ms) => `${ms.toFixed(0)} ms`);
    const ratio = (p99KnownMs / p99BeforeMs).toFixed(2);
    return `| ${[hanging, situation, worst, before, known, ratio, lost, repeated].join(' | ')} |`;
  });
  writeSection(
    'scale.md',
    'npm --prefix lab run bench:engine -- --page',
    `At revision ${headRevision()}, ${new Date().toISOString().slice(0, 10)}.

Of ten receivers, which get ten events a second, some hang, in rounds of 20 s with one and of 10 s with five and nine; *fresh*: their webhooks are new, *warm*: they have been busy. The deliveries to the others:

| hang | situation | worst while it is learned | p99 while all answer | p99 once it is known | ratio of both p99 | lost | repeated |
|---:|---|---:|---:|---:|---:|---:|---:|
${rows.join('\n')}
| | gate | ≤ 1000 ms | | | ≤ 1.2 | 0 | 0 |

\`backlog\`: a receiver hangs while 1,000 events wait for it, and answers again. \`units\`: payloads of 1 KB, the first attempt succeeds.

${table((what) => /^backlog|^write units|^queue requests/.test(what))}`,
  );
};

const figures = makeFigures();
const { atMost, note, print, table } = figures;
const isolations: Isolation[] = [];
const isolate = (count: number) =>
  onStack(async (running) => void isolations.push(...(await measureIsolation(running, figures, count))));

const parts = ['isolation', 'isolation-5', 'isolation-9', 'backlog', 'units'] as const;
const measure: Readonly<Record<(typeof parts)[number], () => Promise<void>>> = {
  isolation: () => isolate(1),
  'isolation-5': () => isolate(5),
  'isolation-9': () => isolate(9),
  backlog: () => onStack((running) => measureBacklog(running, figures)),
  units: () => withCounter(1, countUnits),
};

await run(
  command('npm --prefix lab run bench:engine --')
    .description('Measures the engine on the local stack against its gates.')
    .addArgument(new Argument('[part...]', 'What to measure (default: all).').choices(parts))
    .option('--page', 'Measure all, and write the section of lab/reports/scale.md.', false)
    .action(async (named, { page }) => {
      if (page && named.length > 0) throw new UsageError('--page measures all parts: name none.');
      for (const part of parts) if (named.length === 0 || named.includes(part)) await measure[part]();
      print();
      if (page) writePage();
    }),
);
