/** A stage larger than one machine can run: 10,000 events a second, an event with a million subscribers, and a six-hour outage of all receivers. */
import { type LimitName, type Limits, limitTexts, prodLimits } from '../../scale/limits.ts';
import { type OutageResult, runOutage, waitingTimes } from '../../scale/outage.ts';
import {
  batchSize,
  fullBatch,
  measuredTimes,
  productRules,
  type Rules,
  type ServiceTimes,
  type StageModel,
  startStage,
} from '../../scale/stage.ts';
import { hour, minute, type Report, type Scenario, second } from './scenario.ts';

/** A limit that was reached, and the throughput at that point. */
interface Step {
  readonly limit: LimitName;
  readonly atMs: number;
  /** Deliveries per second in the last third of the run. */
  readonly perSecond: number;
}

/** A figure of the model next to the result of a formula in lab/reports/scale.md. */
export interface Compared {
  readonly what: string;
  readonly model: number;
  readonly formula: number;
  readonly how: string;
}

const eventsPerSecond = 10_000;
const fanOut = 10;
/** Longer than a queue's pollers need to grow to a thousand concurrent batches. */
const forMs = 240 * second;
const publishers = 100;

/** The values that limits are raised to. The speed at which AWS adds pollers and environments cannot be raised. */
const raised: Partial<Record<LimitName, Partial<Limits>>> = {
  apiRate: { apiRate: 12_000 },
  apiAccountRate: { apiRate: 12_000, apiAccountRate: 12_000 },
  events: { events: 200 },
  deliveries: { deliveries: 1000 },
  concurrency: { concurrency: 3000 },
  tableWrites: { tableWrites: 40_000 },
  tableQuota: { tableWrites: 160_000, tableQuota: 160_000 },
};

interface Published {
  readonly stage: StageModel;
  readonly perSecond: number;
}

/** Publishes events at a steady rate. */
const publishFor = (seed: number, limits: Limits, times: ServiceTimes, ms: number, rules?: Rules): Published => {
  const stage = startStage(seed, limits, times, () => fanOut, ms, rules);
  const everyMs = 10;
  let number = 0;
  stage.clock.every(everyMs, ms, () => {
    stage.publish(`publisher-${number++ % publishers}`, (eventsPerSecond * everyMs) / second);
  });
  stage.clock.run((2 * ms) / 3);
  const before = stage.delivered.count;
  stage.clock.run(ms);
  return { stage, perSecond: ((stage.delivered.count - before) * 3 * second) / ms };
};

/** Raises one limit after the other, in the order in which they are reached, until the stage keeps up with what is published. */
const tenThousandEvents = (seed: number, times: ServiceTimes, ms: number) => {
  let limits = prodLimits;
  const steps: Step[] = [];
  for (;;) {
    const { stage, perSecond } = publishFor(seed, limits, times, ms);
    const isEnough = perSecond >= 0.98 * eventsPerSecond * fanOut;
    const [next] = [...stage.reached.first]
      .filter(([limit]) => raised[limit] !== undefined)
      .toSorted(([, one], [, other]) => one - other);
    if (isEnough || next === undefined)
      return { steps, perSecond, limits, pollersAt: stage.reached.first.get('pollers') };
    const [limit, atMs] = next;
    steps.push({ limit, atMs, perSecond });
    limits = { ...limits, ...raised[limit] };
  }
};

/** What the counts of 10,000 publishes a second do to the table with this number of shards. */
export interface CountersResult {
  readonly shards: number;
  /** Write units per second of the busiest partition key. */
  readonly busiest: number;
  /** When that key's writes began to wait, in ms; undefined if they never did. */
  readonly fullAtMs: number | undefined;
  /** Requests refused because earlier ones were waiting for the table. */
  readonly refused: number;
}

const countersMs = 10 * second;
const shardsCompared = [8, productRules.countShards];

/** Publishes 10,000 single events a second with all limits out of reach, so that only a partition key can fill up. */
export const runCounters = (seed: number, times: ServiceTimes): CountersResult[] =>
  shardsCompared.map((countShards) => {
    const limits = { ...prodLimits, ...Object.assign({}, ...Object.values(raised)) } as Limits;
    const { stage } = publishFor(seed, limits, times, countersMs, { ...productRules, countShards });
    const busiest = stage.table.busiestKeyUnits / (countersMs / second);
    return { shards: countShards, busiest, fullAtMs: stage.reached.first.get('partition'), refused: stage.refused };
  });

const subscribers = 1_000_000;
const others = 'others';

/** Publishes one event with `subscribers` subscribers, next to a publisher with ten events a second and ten subscribers. */
export const wideEvent = (seed: number, times: ServiceTimes, count: number, rules?: Rules) => {
  const untilMs = hour;
  const stage = startStage(seed, prodLimits, times, (name) => (name === others ? fanOut : count), untilMs, rules);
  stage.clock.every(100, untilMs, () => stage.publish(others));
  stage.clock.run(minute);
  const quiet = stage.delivered.quantile(others, 0.99);
  stage.delivered.forget(others);
  const from = stage.clock.now;
  stage.publish('wide');
  stage.clock.run(untilMs, () => stage.delivered.countOf('wide') >= count);
  const during = stage.delivered.quantile(others, 0.99);
  return { stage, ms: stage.clock.now - from, quiet, during };
};

/** The product's rules, and variants that show what other publishers would wait without each rule. */
const ruleVariants: readonly { readonly name: string; readonly rules: Rules }[] = [
  { name: 'all grouped by cohort, no pause', rules: { ...productRules, laterGroup: 'cohort', pauseAbove: Infinity } },
  { name: 'beyond fifty grouped by publisher, no pause', rules: { ...productRules, pauseAbove: Infinity } },
  { name: 'all grouped by cohort, with pauses', rules: { ...productRules, laterGroup: 'cohort' } },
  {
    name: 'the product, if SQS counts the waiting messages a minute late',
    rules: { ...productRules, lateSeconds: 60 },
  },
  { name: 'the product', rules: productRules },
];

/** Returns the ms until an event with this number of subscribers is delivered when nothing else runs. */
const aloneMs = (seed: number, limits: Limits, times: ServiceTimes, count: number): number => {
  const stage = startStage(seed, limits, times, () => count, hour);
  stage.publish('wide');
  stage.clock.run(hour, () => stage.delivered.countOf('wide') >= count);
  return stage.clock.now;
};

const outageHours = 6;
const outagePerSecond = 500;

export interface ScaleResults {
  readonly times: ServiceTimes;
  readonly events: ReturnType<typeof tenThousandEvents>;
  readonly counters: readonly CountersResult[];
  /** Runs the wide event with each variant of the rules; the product's rules are last. */
  readonly wide: readonly (ReturnType<typeof wideEvent> & { readonly name: string })[];
  readonly wideCount: number;
  readonly outage: OutageResult;
  readonly outageMs: number;
  readonly compared: readonly Compared[];
}

/** Runs the three scenarios. `scale` shortens them: limits are still reached at the same times, but those that come later are missed. */
export const runScale = (seed: number, scale = 1): ScaleResults => {
  const times = measuredTimes();
  const events = tenThousandEvents(seed, times, Math.max(10 * second, forMs * scale));
  const wideCount = Math.max(10_000, Math.round(subscribers * scale));
  const wide = ruleVariants.map(({ name, rules }) => ({ name, ...wideEvent(seed, times, wideCount, rules) }));
  const outageMs = Math.max(hour / 2, outageHours * hour * scale);
  const outage = runOutage(seed, prodLimits, times, outagePerSecond, outageMs);
  return {
    times,
    events,
    counters: runCounters(seed, times),
    wide,
    wideCount,
    outage,
    outageMs,
    compared: compare(seed, times),
  };
};

/** Compares figures of the model with formulas in cases where both apply: one limit binds and all others are out of reach. */
export const compare = (seed: number, times: ServiceTimes): Compared[] => {
  const free = { ...prodLimits, apiRate: 12_000, events: 200, tableWrites: 40_000 };
  const full = publishFor(seed, { ...free, deliveries: 20 }, times, 12 * second);
  const { perSecond, concurrency, ms } = comparedOutage;
  const outage = runOutage(seed, { ...free, slowDeliveries: concurrency }, times, perSecond, ms);
  const askedPerSecond = (concurrency * batchSize * second) / waitingTimes.deferMs;
  return [
    {
      what: 'deliveries a second of a full lane with a `concurrency` of 20',
      model: full.perSecond,
      formula: (20 * fullBatch * second) / times.fullBatchMs,
      how: 'concurrency × batch ÷ duration',
    },
    {
      what: `seconds of an event with ${comparedSubscribers.toLocaleString('en')} subscribers, in a lane with a \`concurrency\` of 20`,
      model: aloneMs(seed, { ...free, deliveries: 20 }, times, comparedSubscribers) / second,
      formula: (comparedSubscribers * times.fullBatchMs) / (20 * fullBatch * second),
      how: 'subscribers × duration ÷ (concurrency × batch)',
    },
    {
      what: `waiting deliveries a second in a full slow lane with a \`concurrency\` of ${concurrency}`,
      model: outage.askedPerSecond,
      formula: askedPerSecond,
      how: 'concurrency × batch ÷ duration',
    },
    {
      what: `minutes until ${perSecond} deliveries a second without receivers fill it`,
      model: (outage.fullAtMs ?? Number.NaN) / minute,
      formula: (waitingTimes.breakerMs * Math.ceil(askedPerSecond / perSecond - 1)) / minute,
      how: "the circuit breaker's wait × ⌈that rate ÷ deliveries a second − 1⌉: each wait adds another round",
    },
    {
      what: 'minutes until the backlog of an hour is delivered',
      model: outage.drainedMs / minute,
      formula: (outage.backlog * times.deliverMs) / (concurrency * batchSize) / minute,
      how: 'backlog × duration ÷ (concurrency × batch)',
    },
  ];
};

/** Small, because a test runs it too. */
const comparedSubscribers = 300_000;
const comparedOutage = { perSecond: 400, ms: hour, concurrency: 4 };

const report = (results: ScaleResults): Report => {
  const { events, counters, outage, compared } = results;
  const wide = productOf(results);
  const [first] = events.steps;
  const figures: Record<string, number> = {
    '10,000 events/s: seconds until the first limit': (first?.atMs ?? Number.NaN) / second,
    '10,000 events/s: deliveries a second with all limits raised': events.perSecond,
    'a million subscribers: seconds': wide.ms / second,
    'a million subscribers: p99 ms of others before': wide.quiet,
    'a million subscribers: p99 ms of others meanwhile': wide.during,
    [rise]: wide.during - wide.quiet,
    ...Object.fromEntries(counters.map(({ shards, busiest }) => [busiestOf(shards), busiest])),
    'outage: hours until the slow lane is full': (outage.fullAtMs ?? Number.NaN) / hour,
    'outage: deliveries that wait at its end': outage.backlog,
    'outage: hours until they are delivered': outage.drainedMs / hour,
  };
  for (const { what, model, formula } of compared) figures[`model ÷ formula: ${what}`] = model / formula;
  const gates = {
    [rise]: { atMost: 2 * second },
    [busiestOf(productRules.countShards)]: { atMost: 1000 },
    ...Object.fromEntries(compared.map(({ what }) => [`model ÷ formula: ${what}`, { atLeast: 0.9, atMost: 1.1 }])),
  };
  return { figures, gates, examples: events.steps.map(stepText) };
};

/** Returns the wide event under the product's rules. */
export const productOf = ({ wide }: Pick<ScaleResults, 'wide'>): ScaleResults['wide'][number] => {
  const last = wide.at(-1);
  if (last === undefined) throw new Error('No wide event was published.');
  return last;
};

const rise = 'a million subscribers: ms by which the p99 of others rises';
const busiestOf = (shards: number): string =>
  `10,000 events/s: write units a second of the busiest of ${shards} shards`;

/** Describes a limit and where it stands in the order in which limits are reached. */
const stepText = ({ limit, atMs, perSecond }: Step): string =>
  `10,000 events/s: after ${(atMs / second).toFixed(1)} s ${limitTexts[limit].text}; ${Math.round(perSecond).toLocaleString('en')} deliveries a second`;

export const pastOneMachine: Scenario = {
  shows:
    'a model of queues, Lambda and the table: 10,000 events a second, a million subscribers, six hours without receivers; which limit is reached first',
  run: async ({ seed, scale }) => report(runScale(seed, scale)),
};
