/**
 * What each function takes at each memory size: the deployed bundles, each in a process that has the size's share of a CPU, as on Lambda.
 * INIT runs with a full CPU; table, queues, mail and receivers are outside of the quota and answer with the latency of AWS.
 *
 *   npm run bench:lambda -- [function…] [--memory <MB,…>] [--json]
 */
import { parseArgs } from 'node:util';
import { type Figures, measure } from './lambda/measure.ts';
import { findLimiter } from './lambda/quota.ts';
import { type Scenario, scenarios } from './lambda/scenarios.ts';
import { latencies, startWorld } from './lambda/world.ts';

/** The cheapest size that meets the goal and is above what the process takes. */
const recommendation = (scenario: Scenario): string => {
  const fitting = results
    .filter((figures) => figures.event === scenario.event && figures.isGoalMet)
    .filter(({ memoryMb, rssMb }) => rssMb < memoryMb)
    .toSorted((a, b) => a.usdPerMillion - b.usdPerMillion);
  const [cheapest] = fitting;
  return cheapest === undefined
    ? 'No size meets the goal.'
    : `Cheapest size that meets the goal: ${cheapest.memoryMb} MB.`;
};

const row = (figures: Figures): string => {
  const { memoryMb, initMs, firstMs, p50Ms, p99Ms, cpuMs, perSecond, rssMb, usdPerMillion, isGoalMet } = figures;
  const whole = [memoryMb, initMs, firstMs, p50Ms, p99Ms].map((value) => value.toFixed(0));
  const rest = [cpuMs.toFixed(1), perSecond.toFixed(0), rssMb.toFixed(0), usdPerMillion.toFixed(2)];
  return `| ${[...whole, ...rest, isGoalMet ? 'met' : 'missed'].join(' | ')} |`;
};

const printHead = ({ function: name, event, goal }: Scenario): void => {
  const asked =
    'p99Ms' in goal
      ? `p99 ≤ ${goal.p99Ms} ms, INIT and first request ≤ ${goal.coldMs} ms`
      : `≥ ${goal.perSecond} a second and environment`;
  console.log(`### ${name}: ${event} (${asked})\n`);
  console.log('| MB | INIT ms | first ms | p50 ms | p99 ms | CPU ms | per second | RSS MB | USD per million | goal |');
  console.log('|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|');
};

const help = `npm run bench:lambda -- [function…] [--memory <MB,…>] [--json]

Measures the deployed bundles under the share of a CPU that Lambda gives to each memory size.

  [function…]        ${[...new Set(scenarios.map((scenario) => scenario.function))].join(', ')} (default: all, about ten minutes)
  --memory <MB,…>    Memory sizes (default: 128,256,512,1024,1769,3008).
  --json             Print one JSON document instead of a table.
  --help             Print this text.

Needs cgroups (root on Linux) or cpulimit.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: 'string', default: '128,256,512,1024,1769,3008' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit();
}
const unknown = positionals.find((name) => !scenarios.some((scenario) => scenario.function === name));
if (unknown !== undefined) throw new Error(`There is no scenario for ${unknown}. Run with --help for usage.`);
const sizes = values.memory.split(',').map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 128 || size > 10_240))
  throw new Error(`--memory is '${values.memory}'; it must be sizes from 128 to 10240, separated by commas.`);

const limiter = findLimiter();
const world = await startWorld();
const results: Figures[] = [];
try {
  for (const scenario of scenarios.filter((one) => positionals.length === 0 || positionals.includes(one.function))) {
    if (!values.json) printHead(scenario);
    world.setLatency(false);
    const nextEvent = await scenario.prepare(world);
    for (const size of sizes) {
      const figures = await measure(world, scenario, nextEvent, size, limiter);
      results.push(figures);
      if (!values.json) console.log(row(figures));
    }
    if (!values.json) console.log(`\n${recommendation(scenario)}\n`);
  }
} finally {
  await world.stop();
}
if (values.json)
  console.log(JSON.stringify({ limiter: limiter.name, node: process.version, latencies, results }, null, 2));
process.exit();
