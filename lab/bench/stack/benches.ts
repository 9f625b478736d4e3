/** The benchmarks of the local stack. */
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryHome } from '../../../test/support/parts-running-stack.ts';
import { now } from '../clock.ts';
import { type Counter, targetOf } from '../counter.ts';
import { median, quantile } from '../statistics.ts';
import type { Bench, Prepared, Side, Values } from './bench.ts';
import { publish, publishMany, publishSteadily, subscribe } from './load.ts';
import type { StackOfRevision } from './revision.ts';
import { cpuByLayer, cpuOf, kinds, layers, memoryByKind, memoryOf, watchMemory } from './usage.ts';

const event = 'post.published';
const subscribers = 300;

/** Prepares a stack that all rounds share. */
const onOneStack = async (
  { revision, counter, args }: Side,
  prepare: (stack: StackOfRevision, counter: Counter) => Promise<() => Promise<Values>>,
): Promise<Prepared> => {
  revision.bundle();
  const stack = await revision.start({ args });
  return { round: await prepare(stack, counter), end: async () => void (await stack.end()) };
};

/** Starts a new stack for each round. */
const onFreshStack = (
  { revision, counter, args }: Side,
  measure: (stack: StackOfRevision, counter: Counter) => Promise<Values>,
): Prepared => ({
  async round() {
    revision.bundle();
    const stack = await revision.start({ args });
    try {
      return await measure(stack, counter);
    } finally {
      await stack.end();
    }
  },
  async end() {},
});

/** Waits until the stack has been idle for a third of a second. */
const settle = async ({ pid }: StackOfRevision): Promise<void> => {
  for (let before = -1, cpu = cpuOf(pid); cpu - before > 10; before = cpu, cpu = cpuOf(pid)) await wait(333);
};

/** Publishes one event; returns the ms until its first delivery arrived, and until all of them did. */
const fanOut = async (stack: StackOfRevision, counter: Counter) => {
  counter.forget();
  const { title, at } = await publish(stack, event);
  const last = await counter.all(title, subscribers);
  return { firstMs: Math.min(...counter.arrivals().map((arrival) => arrival.at)) - at, allMs: last - at };
};

const subscribeAll = (stack: StackOfRevision, { origins: [origin = ''] }: Counter, count = subscribers) =>
  subscribe(stack, origin, event, count);

const perSecond = 'deliveries/s';

const start: Bench = {
  description: 'from the start of the process until the stack is ready',
  rounds: 5,
  figures: {
    first: {
      title: 'First start',
      unit: 'ms',
      better: 'lower',
      explanation:
        'From the start of the process until it is ready, in an empty home with nothing cached: the CDK app runs, and the functions that a first event needs are bundled; the others follow.',
    },
    home: {
      title: 'First start of a home',
      unit: 'ms',
      better: 'lower',
      explanation: 'The same with templates and bundles cached: table, queues, keys and roles are created.',
    },
    second: {
      title: 'Second start',
      unit: 'ms',
      better: 'lower',
      explanation: 'The same in a home that has been used before.',
    },
    stop: {
      title: 'Ctrl-C',
      unit: 'ms',
      better: 'lower',
      explanation: 'From the signal until the process has ended.',
    },
  },
  prepare: async ({ revision }) => ({
    async round() {
      revision.clearCache();
      const run = async (folder: string) => {
        const stack = await revision.start({ home: folder, args: [] });
        return { readyMs: stack.readyMs, stopMs: await stack.end() };
      };
      const homes = [temporaryHome(), temporaryHome()] as const;
      try {
        const first = await run(homes[0].folder);
        revision.bundle();
        const home = await run(homes[1].folder);
        const second = await run(homes[1].folder);
        return { first: first.readyMs, home: home.readyMs, second: second.readyMs, stop: second.stopMs };
      } finally {
        for (const home of homes) home.remove();
      }
    },
    async end() {},
  }),
};

/** Returns the CPU time of the stack by layer (`cpuByLayer`), per delivery or request. */
const layerFigures = {
  functions: {
    title: 'of it in functions',
    unit: 'ms',
    better: 'lower',
    explanation: 'Their environments: the handlers, and mostly the AWS SDK.',
  },
  main: {
    title: 'of it in the main thread',
    unit: 'ms',
    better: 'lower',
    explanation: 'API Gateway, the proxy with IAM and counts, the queues and their pollers.',
  },
  v8: {
    title: "of it in V8's own threads",
    unit: 'ms',
    better: 'lower',
    explanation: 'The compiler, which is done after some thousand deliveries, and the garbage collector.',
  },
  table: { title: 'of it in the table', unit: 'ms', better: 'lower', explanation: 'dynoxide, in its own process.' },
} as const satisfies Bench['figures'];

/** Repeats an act in eight clients at the same time, until it returns false. */
const byEight = async (act: () => Promise<boolean>): Promise<void> => {
  const client = async () => {
    while (await act());
  };
  await Promise.all(Array.from({ length: 8 }, client));
};

const creates: Bench = {
  description: 'webhooks created by eight clients at once: rate, CPU',
  rounds: 9,
  figures: {
    rate: {
      title: 'Webhooks created by 8 clients',
      unit: 'requests/s',
      better: 'higher',
      explanation: 'Eight clients create 200 webhooks, each client one after another, over HTTP.',
    },
    cpu: {
      title: 'CPU per creation',
      unit: 'ms',
      better: 'lower',
      explanation: 'CPU time of all processes of the stack for these requests.',
    },
    ...layerFigures,
    client: {
      title: 'of the clients, beside it',
      unit: 'ms',
      better: 'lower',
      explanation: 'The process of the benchmark, on the same cores.',
    },
  },
  prepare: (side) =>
    onOneStack(side, async (stack) => {
      const { integrationKey: key } = stack.stack;
      const count = 200;
      let made = 0;
      const round = async () => {
        const ids: string[] = [];
        const end = made + count;
        const before = cpuOf(stack.pid);
        const byLayer = cpuByLayer(stack.pid);
        const clients = process.cpuUsage();
        const began = now();
        await byEight(async () => {
          if (made >= end) return false;
          const webhook = { event: 'tag.added', target_url: `https://example.com/${made++}` };
          const answer = await stack.call('POST', '/admin/webhooks/', { key, body: { webhooks: [webhook] } });
          if (answer.status !== 201) throw new Error(`creating a webhook: ${answer.status} ${answer.text}`);
          ids.push(answer.body.webhooks[0].id);
          return true;
        });
        const rate = count / ((now() - began) / 1000);
        const { user, system } = process.cpuUsage(clients);
        const after = cpuByLayer(stack.pid);
        const values = {
          rate,
          cpu: (cpuOf(stack.pid) - before) / count,
          ...Object.fromEntries(layers.map((layer) => [layer, (after[layer] - byLayer[layer]) / count])),
          client: (user + system) / 1000 / count,
        };
        // An integration can have at most a thousand webhooks.
        await byEight(async () => {
          const id = ids.pop();
          if (id !== undefined) await stack.call('DELETE', `/admin/webhooks/${id}/`, { key });
          return id !== undefined;
        });
        return values;
      };
      for (let warmUp = 0; warmUp < 4; warmUp++) await round();
      return round;
    }),
};

const fanOutWarm: Bench = {
  description: `one event to ${subscribers} subscribers on a warm stack: rate, first arrival, CPU`,
  rounds: 11,
  figures: {
    rate: {
      title: `One event to ${subscribers}, warm`,
      unit: perSecond,
      better: 'higher',
      explanation: `An event is published for ${subscribers} webhooks; from publishing to the last arrival, mean of five events.`,
    },
    first: {
      title: 'First arrival of a fan-out',
      unit: 'ms',
      better: 'lower',
      explanation: 'From publishing to the first arrival of the same events, median of five.',
    },
    cpu: {
      title: 'CPU per delivery',
      unit: 'ms',
      better: 'lower',
      explanation: 'CPU time of all processes of the stack for these deliveries, their log and their records included.',
    },
    ...layerFigures,
  },
  prepare: (side) =>
    onOneStack(side, async (stack, counter) => {
      await subscribeAll(stack, counter);
      const round = async () => {
        const events: Awaited<ReturnType<typeof fanOut>>[] = [];
        const before = cpuOf(stack.pid);
        const byLayer = cpuByLayer(stack.pid);
        for (let index = 0; index < 5; index++) events.push(await fanOut(stack, counter));
        await settle(stack);
        const after = cpuByLayer(stack.pid);
        const deliveries = subscribers * events.length;
        return {
          rate: deliveries / (events.reduce((sum, { allMs }) => sum + allMs, 0) / 1000),
          first: median(events.map(({ firstMs }) => firstMs)),
          cpu: (cpuOf(stack.pid) - before) / deliveries,
          ...Object.fromEntries(layers.map((layer) => [layer, (after[layer] - byLayer[layer]) / deliveries])),
        };
      };
      for (let warmUp = 0; warmUp < 3; warmUp++) await round();
      return round;
    }),
};

const fanOutFresh: Bench = {
  description: `the first event of a fresh stack, to ${subscribers} subscribers`,
  rounds: 7,
  figures: {
    rate: {
      title: `First event of a fresh stack, to ${subscribers}`,
      unit: perSecond,
      better: 'higher',
      explanation: `A stack starts, ${subscribers} webhooks are created, and one event is published; from publishing to the last arrival.`,
    },
    first: {
      title: 'First arrival of this event',
      unit: 'ms',
      better: 'lower',
      explanation: 'From publishing to the first arrival of this event.',
    },
  },
  prepare: async (side) =>
    onFreshStack(side, async (stack, counter) => {
      await subscribeAll(stack, counter);
      const { firstMs, allMs } = await fanOut(stack, counter);
      return { rate: subscribers / (allMs / 1000), first: firstMs };
    }),
};

const latency: Bench = {
  description: 'from publishing to the arrival at one subscriber',
  rounds: 9,
  figures: {
    p50: {
      title: 'Published to delivered, one subscriber, p50',
      unit: 'ms',
      better: 'lower',
      explanation: 'One hundred events, each published after the one before has arrived; the median.',
    },
    p99: {
      title: 'Published to delivered, one subscriber, p99',
      unit: 'ms',
      better: 'lower',
      explanation: 'The slowest but one of the hundred.',
    },
  },
  prepare: (side) =>
    onOneStack(side, async (stack, counter) => {
      await subscribeAll(stack, counter, 1);
      const round = async () => {
        const found: number[] = [];
        for (let index = 0; index < 100; index++) {
          counter.forget();
          const { title, at } = await publish(stack, event);
          found.push((await counter.all(title, 1)) - at);
        }
        return { p50: median(found), p99: quantile(found, 0.98) };
      };
      for (let warmUp = 0; warmUp < 2; warmUp++) await round();
      return round;
    }),
};

/** More than any revision has delivered on two cores. */
const offered = { perSecond: 30, count: 150, subscribers: 100 };

const sustained: Bench = {
  description: 'a load above what the stack can deliver, in an open loop, with each delivery verified at the receiver',
  rounds: 3,
  figures: {
    rate: {
      title: 'Sustained',
      unit: perSecond,
      better: 'higher',
      explanation: `${offered.count} events for ${offered.subscribers} webhooks are published at ${offered.perSecond} a second, regardless of how many are delivered. Measured from the first to the last of ${offered.count * offered.subscribers} arrivals, which must be complete and distinct.`,
    },
  },
  prepare: (side) =>
    onOneStack(side, async (stack, counter) => {
      await subscribeAll(stack, counter, offered.subscribers);
      const round = async () => {
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
      await round();
      return round;
    }),
};

/** Publishes events to 100 webhooks until `count` deliveries have arrived. */
const deliver = async (stack: StackOfRevision, counter: Counter, deliveries: number): Promise<void> => {
  const atOnce = 2000;
  for (let done = 0; done < deliveries; done += atOnce) {
    counter.forget();
    await publishMany(stack, event, atOnce / 100);
    await counter.arrived(atOnce, 60_000);
    const { length } = counter.arrivals();
    if (length < atOnce) throw new Error(`${length} deliveries of ${atOnce} arrived within a minute`);
  }
  await settle(stack);
};

const mib = 'MiB';

const memory: Bench = {
  description: 'memory of all processes: idle, at the peak, after 10,000 deliveries',
  rounds: 3,
  figures: {
    idle: {
      title: 'Memory, idle',
      unit: mib,
      better: 'lower',
      explanation: 'Proportional set size of all processes of the stack three seconds after it was ready.',
    },
    peak: {
      title: 'Memory, peak',
      unit: mib,
      better: 'lower',
      explanation: 'The highest of four readings a second while 10,000 deliveries to 100 webhooks are made.',
    },
    after: {
      title: 'Memory after 10,000 deliveries',
      unit: mib,
      better: 'lower',
      explanation: 'The same when they are done and the stack is idle again; table and queues are in memory, too.',
    },
  },
  prepare: async (side) =>
    onFreshStack(side, async (stack, counter) => {
      await wait(3000);
      const idle = memoryOf(stack.pid);
      const watched = watchMemory(stack.pid);
      await subscribeAll(stack, counter, 100);
      await deliver(stack, counter, 10_000);
      return { idle, peak: watched.stop(), after: memoryOf(stack.pid) };
    }),
};

const growth: Bench = {
  description: 'memory after 10,000 and after 100,000 deliveries and a minute later, with files (three minutes)',
  rounds: 1,
  isLong: true,
  figures: {
    few: {
      title: 'Memory after 10,000 deliveries, with files',
      unit: mib,
      better: 'lower',
      explanation:
        'Proportional set size of all processes when 10,000 deliveries are done; table and queues are in files.',
    },
    more: {
      title: 'Memory after 30,000 deliveries, with files',
      unit: mib,
      better: 'lower',
      explanation: 'The same after 30,000: the heaps of all threads have reached their bounds.',
    },
    many: {
      title: 'Memory after 100,000 deliveries, with files',
      unit: mib,
      better: 'lower',
      explanation: 'The same after 100,000.',
    },
    ratio: {
      title: 'Growth from 10,000 to 100,000 deliveries',
      unit: '×',
      better: 'lower',
      explanation: 'One by the other.',
    },
    last: {
      title: 'Growth from 30,000 to 100,000 deliveries',
      unit: '×',
      better: 'lower',
      explanation: 'What grows with the number of deliveries, and not with the warm-up of the heaps.',
    },
    heaps: {
      title: 'of the growth in heaps',
      unit: mib,
      better: 'lower',
      explanation: "V8's heaps of all threads, with their stacks and large buffers, from 10,000 to 100,000.",
    },
    code: {
      title: 'of it in compiled code',
      unit: mib,
      better: 'lower',
      explanation: "Machine code that V8's compilers have made of functions that run often.",
    },
    library: {
      title: "of it in the C library's allocator",
      unit: mib,
      better: 'lower',
      explanation: 'Node.js itself: buffers, sockets, handles.',
    },
    files: {
      title: 'of it in programs and libraries',
      unit: mib,
      better: 'lower',
      explanation: 'Pages of files that were read once.',
    },
    table: {
      title: 'of it in the table',
      unit: mib,
      better: 'lower',
      explanation: 'dynoxide, in its own process.',
    },
    later: {
      title: 'Memory when the stack has been idle',
      unit: mib,
      better: 'lower',
      explanation:
        'Seventy seconds after the last delivery: environments end when they have been idle next to another one.',
    },
  },
  prepare: async (side) =>
    onFreshStack({ ...side, args: [] }, async (stack, counter) => {
      await subscribeAll(stack, counter, 100);
      await deliver(stack, counter, 10_000);
      const few = memoryOf(stack.pid);
      const before = memoryByKind(stack.pid);
      await deliver(stack, counter, 20_000);
      const more = memoryOf(stack.pid);
      await deliver(stack, counter, 70_000);
      const many = memoryOf(stack.pid);
      const after = memoryByKind(stack.pid);
      const grown = Object.fromEntries(kinds.map((kind) => [kind, after[kind] - before[kind]]));
      await wait(70_000);
      return { few, more, many, ratio: many / few, last: many / more, ...grown, later: memoryOf(stack.pid) };
    }),
};

/** The benchmarks by name, in the order in which they run. */
export const benches: Readonly<Record<string, Bench>> = {
  start,
  creates,
  'fan-out': fanOutWarm,
  'fresh-fan-out': fanOutFresh,
  latency,
  sustained,
  memory,
  'memory-growth': growth,
};
