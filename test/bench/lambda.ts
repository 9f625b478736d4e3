/**
 * What each function takes at each memory size: the deployed bundles, each in a process that has the size's share of a CPU, as on Lambda.
 * INIT runs with a full CPU; table, queues, mail and receivers are outside of the quota and answer with the latency of AWS.
 *
 *   npm run bench:lambda -- [function…] [--memory <MB,…>] [--json]
 *   npm run bench:lambda -- --samples [function…]
 */
import { parseArgs } from 'node:util';
import { contract } from '../../shared/contract.ts';
import { type Figures, measure } from './lambda/measure.ts';
import { findLimiter, type Limiter } from './lambda/quota.ts';
import { measureSamples, sampleMemoryMb } from './lambda/samples.ts';
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

/** Prints the CPU time of functions with their sample events. @returns whether all were measured */
const printSamples = async (names: readonly string[], limiter: Limiter): Promise<boolean> => {
  const all = contract.map((line) => line.function);
  const chosen = all.filter((name) => names.length === 0 || names.includes(name));
  if (chosen.length < names.length) throw new Error(`The contract does not have all of ${names.join(', ')}.`);
  console.log(
    `| function | INIT CPU ms | first CPU ms | warm CPU ms | AWS calls | cold ms | warm ms | RSS MB | USD per million |`,
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
  const failures: string[] = [];
  for await (const one of measureSamples(chosen, limiter))
    if ('failure' in one) failures.push(`${one.function}: ${one.failure}`);
    else {
      const { initCpuMs, firstCpuMs, cpuMs, calls, coldMs, warmMs, rssMb, usdPerMillion } = one;
      const figures = [initCpuMs.toFixed(0), firstCpuMs.toFixed(0), cpuMs.toFixed(1), calls.toFixed(1)];
      const rest = [...[coldMs, warmMs, rssMb].map((value) => value.toFixed(0)), usdPerMillion.toFixed(2)];
      console.log(`| ${[`\`${one.function}\``, ...figures, ...rest].join(' | ')} |`);
    }
  for (const failure of failures) console.error(failure);
  return failures.length === 0;
};

const help = `npm run bench:lambda -- [function…] [--memory <MB,…>] [--json]
npm run bench:lambda -- --samples [function…]

Measures the deployed bundles under the share of a CPU that Lambda gives to each memory size.

  [function…]        ${[...new Set(scenarios.map((scenario) => scenario.function))].join(', ')} (default: all, about ten minutes)
  --memory <MB,…>    Memory sizes (default: 128,256,512,1024,1769,3008).
  --samples          Measure the CPU time of every function, or of these, with its sample event at ${sampleMemoryMb} MB; cold and
                     warm times are calculated.
  --limiter <name>   cgroup v1, cgroup v2 or cpulimit (default: the first that is possible).
  --json             Print one JSON document instead of a table.
  --help             Print this text.

Needs cgroups (root on Linux) or cpulimit.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: 'string', default: '128,256,512,1024,1769,3008' },
    json: { type: 'boolean', default: false },
    samples: { type: 'boolean', default: false },
    limiter: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(help);
  process.exit();
}
const limiter = findLimiter(values.limiter);
if (values.samples) process.exit((await printSamples(positionals, limiter)) ? 0 : 1);
const unknown = positionals.find((name) => !scenarios.some((scenario) => scenario.function === name));
if (unknown !== undefined) throw new Error(`There is no scenario for ${unknown}. Run with --help for usage.`);
const sizes = values.memory.split(',').map(Number);
if (sizes.some((size) => !Number.isInteger(size) || size < 128 || size > 10_240))
  throw new Error(`--memory is '${values.memory}'; it must be sizes from 128 to 10240, separated by commas.`);

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
