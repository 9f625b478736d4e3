/** The benchmarks of the local stack: each figure that a document quotes. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { countsSchema, type FunctionCounts } from '../../infra/emulator/proxy/count.ts';
import { type RunningStack, runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { now } from './clock.ts';
import { type Counter, targetOf } from './counter.ts';
import { publish, publishMany, publishSteadily, subscribe } from './load.ts';
import { median, quantile } from './statistics.ts';
import { cpuByLayer, cpuOf, layers, memoryOf, watchMemory } from './usage.ts';

const event = 'post.published';
const subscribers = 300;

export type Values = Readonly<Record<string, number>>;

interface Bench {
  readonly description: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly rounds: number;
  measure(counter: Counter, rounds: number): Promise<readonly Values[]>;
}

const withStack = async <T>(act: (stack: RunningStack) => Promise<T>, home = temporaryHome()): Promise<T> => {
  const stack = await runStack(home.folder, ['--quiet', '--memory']);
  try {
    return await act(stack);
  } finally {
    await stack.end('SIGINT');
    home.remove();
  }
};

const onOneStack =
  (
    warmUps: number,
    prepare: (stack: RunningStack, counter: Counter) => Promise<() => Promise<Values>>,
  ): Bench['measure'] =>
  (counter, rounds) =>
    withStack(async (stack) => {
      const round = await prepare(stack, counter);
      for (let warmUp = 0; warmUp < warmUps; warmUp++) await round();
      const values: Values[] = [];
      for (let number = 0; number < rounds; number++) values.push(await round());
      return values;
    });

const onFreshStacks =
  (measure: (stack: RunningStack, counter: Counter) => Promise<Values>): Bench['measure'] =>
  async (counter, rounds) => {
    const values: Values[] = [];
    for (let number = 0; number < rounds; number++) values.push(await withStack((stack) => measure(stack, counter)));
    return values;
  };

/** Waits until the stack has been idle for a third of a second. */
const settle = async ({ pid }: RunningStack): Promise<void> => {
  for (let before = -1, cpu = cpuOf(pid); cpu - before > 10; before = cpu, cpu = cpuOf(pid)) await wait(333);
};

/** Measures the CPU time of all the stack's processes, by layer, for each of `count` acts. Idle again at the end. */
const cpuOfEach = async (stack: RunningStack, count: number, act: () => Promise<void>): Promise<Values> => {
  const [before, byLayer] = [cpuOf(stack.pid), cpuByLayer(stack.pid)];
  await act();
  await settle(stack);
  const after = cpuByLayer(stack.pid);
  return {
    CPU: (cpuOf(stack.pid) - before) / count,
    ...Object.fromEntries(layers.map((layer) => [`of it in ${layer}`, (after[layer] - byLayer[layer]) / count])),
  };
};
const layerFigures = { CPU: 'ms', ...Object.fromEntries(layers.map((layer) => [`of it in ${layer}`, 'ms'])) };

const start: Bench = {
  description: 'from the start of the process until the stack is ready, with templates and bundles cached',
  rounds: 5,
  figures: { 'first start of a home': 'ms', 'second start': 'ms', 'Ctrl-C': 'ms' },
  async measure(_counter, rounds) {
    const values: Values[] = [];
    for (let number = 0; number < rounds; number++) {
      const home = temporaryHome();
      const starts = [];
      for (let time = 0; time < 2; time++) {
        const stack = await runStack(home.folder, ['--quiet']);
        starts.push({ readyMs: stack.readyMs, stopMs: (await stack.end('SIGINT')).ms });
      }
      home.remove();
      const [first, second] = starts.map(({ readyMs }) => readyMs);
      const stop = starts.at(-1)?.stopMs ?? Number.NaN;
      values.push({ 'first start of a home': first ?? 0, 'second start': second ?? 0, 'Ctrl-C': stop });
    }
    return values;
  },
};

/** Repeats an act in eight clients at the same time, until it returns false. */
const byEight = async (act: () => Promise<boolean>): Promise<void> => {
  const client = async () => {
    while (await act());
  };
  await Promise.all(Array.from({ length: 8 }, client));
};

const creates: Bench = {
  description: 'webhooks created by eight clients at once, 200 a round: rate, CPU of a creation',
  rounds: 9,
  figures: { rate: 'requests/s', ...layerFigures },
  measure: onOneStack(4, async (stack) => {
    const { integrationKey: key } = stack.stack;
    const count = 200;
    let made = 0;
    return async () => {
      const ids: string[] = [];
      const end = made + count;
      let rate = 0;
      const cpu = await cpuOfEach(stack, count, async () => {
        const began = now();
        await byEight(async () => {
          if (made >= end) return false;
          const webhook = { event: 'tag.added', target_url: `https://example.com/${made++}` };
          const answer = await stack.call('POST', '/admin/webhooks/', { key, body: { webhooks: [webhook] } });
          if (answer.status !== 201) throw new Error(`creating a webhook: ${answer.status} ${answer.text}`);
          ids.push(answer.body.webhooks[0].id);
          return true;
        });
        rate = count / ((now() - began) / 1000);
      });
      // An integration can have at most a thousand webhooks.
      await byEight(async () => {
        const id = ids.pop();
        if (id !== undefined) await stack.call('DELETE', `/admin/webhooks/${id}/`, { key });
        return id !== undefined;
      });
      return { rate, ...cpu };
    };
  }),
};

/** One event to 300 webhooks on a warm stack, five events a round. `hosts`: at how many receivers the webhooks are. */
const fanOut = (hosts: number): Bench => ({
  description:
    `one event to ${subscribers} webhooks at ${hosts === 1 ? 'one host' : `${hosts} hosts`}: ` +
    'rate, first arrival, CPU of a delivery',
  rounds: 11,
  figures: { rate: 'deliveries/s', 'first arrival': 'ms', ...layerFigures },
  measure: onOneStack(3, async (stack, counter) => {
    await subscribe(stack, counter.origins.slice(0, hosts), event, subscribers);
    return async () => {
      const events: { readonly firstMs: number; readonly allMs: number }[] = [];
      const cpu = await cpuOfEach(stack, subscribers * 5, async () => {
        for (let index = 0; index < 5; index++) {
          counter.forget();
          const { title, at } = await publish(stack, event);
          const last = await counter.all(title, subscribers);
          const first = Math.min(...counter.arrivals().map((arrival) => arrival.at));
          events.push({ firstMs: first - at, allMs: last - at });
        }
      });
      const seconds = events.reduce((sum, { allMs }) => sum + allMs, 0) / 1000;
      return {
        rate: (subscribers * events.length) / seconds,
        'first arrival': median(events.map(({ firstMs }) => firstMs)),
        ...cpu,
      };
    };
  }),
});

const latency: Bench = {
  description: 'from publishing to the arrival at one subscriber, a hundred events one after another',
  rounds: 9,
  figures: { p50: 'ms', p99: 'ms' },
  measure: onOneStack(2, async (stack, counter) => {
    await subscribe(stack, counter.origins.slice(0, 1), event, 1);
    return async () => {
      const found: number[] = [];
      for (let index = 0; index < 100; index++) {
        counter.forget();
        const { title, at } = await publish(stack, event);
        found.push((await counter.all(title, 1)) - at);
      }
      return { p50: median(found), p99: quantile(found, 0.98) };
    };
  }),
};

/** More than any revision has delivered on two cores. */
const offered = { perSecond: 30, count: 150, subscribers: 100 };

const sustained: Bench = {
  description: 'a load above what the stack can deliver, in an open loop; each delivery must arrive exactly once',
  rounds: 3,
  figures: { rate: 'deliveries/s' },
  measure: onOneStack(1, async (stack, counter) => {
    await subscribe(stack, counter.origins.slice(0, 1), event, offered.subscribers);
    return async () => {
      counter.forget();
      const expected = offered.count * offered.subscribers;
      const [first] = await publishSteadily(stack, event, offered);
      await counter.arrived(expected, 60_000);
      await settle(stack);
      const arrivals = counter.arrivals();
      const distinct = new Set(arrivals.map((arrival) => `${arrival.title} ${targetOf(arrival)}`)).size;
      if (distinct !== expected || arrivals.length !== expected)
        throw new Error(`${arrivals.length} deliveries, ${distinct} of them distinct, instead of ${expected}`);
      const last = arrivals.reduce((latest, { at }) => Math.max(latest, at), 0);
      return { rate: expected / ((last - (first?.at ?? Number.NaN)) / 1000) };
    };
  }),
};

const memory: Bench = {
  description: 'memory of all processes (proportional set size): idle, at the peak, after 10,000 deliveries',
  rounds: 3,
  figures: { idle: 'MiB', peak: 'MiB', 'after 10,000 deliveries': 'MiB' },
  measure: onFreshStacks(async (stack, counter) => {
    await wait(3000);
    const idle = memoryOf(stack.pid);
    const watched = watchMemory(stack.pid);
    await subscribe(stack, counter.origins.slice(0, 1), event, 100);
    for (let round = 0; round < 5; round++) {
      counter.forget();
      await publishMany(stack, event, 20);
      await counter.arrived(2000, 60_000);
      const { length } = counter.arrivals();
      if (length < 2000) throw new Error(`${length} deliveries of 2,000 arrived within a minute`);
    }
    await settle(stack);
    return { idle, peak: watched.stop(), 'after 10,000 deliveries': memoryOf(stack.pid) };
  }),
};

const counted = {
  'write units': 'writeUnits',
  'read units': 'readUnits',
  'queue requests': 'queueRequests',
  invocations: 'invocations',
} as const satisfies Record<string, keyof FunctionCounts>;
const countedFunctions = ['events/publish', 'deliveries/fan-out', 'deliveries/deliver'];
const unitFigures = countedFunctions.flatMap((name) =>
  Object.entries(counted).map(([unit, field]) => ({ figure: `${unit} of ${name}`, name, field })),
);

/** Events of 2 KB, as the cost model (lab/cost) assumes. */
const units = (events: number, subscribers: number): Bench => ({
  description: `what a delivery uses as AWS bills it: ${events} events of 2 KB for ${subscribers} webhooks`,
  rounds: 1,
  figures: Object.fromEntries(unitFigures.map(({ figure }) => [figure, ''])),
  measure: onFreshStacks(async (stack, counter) => {
    await subscribe(stack, counter.origins.slice(0, 1), event, subscribers);
    const used = async () => {
      const { functions } = v.parse(countsSchema, await (await fetch(`${stack.stack.proxy}/counts`)).json());
      return unitFigures.map(({ name, field }) => functions[name]?.[field] ?? 0);
    };
    /** Publishes an event, and waits until it is delivered: no invocation has deliveries of two events. */
    const deliver = async (number: number) => {
      await publish(stack, event, randomBytes(950).toString('hex'));
      await counter.arrived(number * subscribers, 60_000);
      await wait(50);
    };
    // The first delivery of a webhook also records that it was triggered.
    await deliver(1);
    await settle(stack);
    const before = await used();
    for (let number = 1; number <= events; number++) await deliver(number + 1);
    await settle(stack);
    const after = await used();
    const deliveries = events * subscribers;
    return Object.fromEntries(
      unitFigures.map(({ figure }, at) => [figure, ((after[at] ?? 0) - (before[at] ?? 0)) / deliveries]),
    );
  }),
});

export const benches: Readonly<Record<string, Bench>> = {
  start,
  creates,
  'fan-out': fanOut(subscribers),
  'fan-out-one-host': fanOut(1),
  latency,
  sustained,
  memory,
  units: units(100, 10),
  'units-wide': units(10, 1000),
};
