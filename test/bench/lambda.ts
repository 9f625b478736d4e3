/**
 * What each function takes at each memory size: the deployed bundles, each in a process that has the size's share of a CPU, as on Lambda.
 * INIT runs with a full CPU; table, queues, mail and receivers are outside of the quota and answer with the latency of AWS.
 */
import { Option } from '@commander-js/extra-typings';
import { command, run } from '../../infra/commands/command.ts';
import { UsageError } from '../../infra/commands/exit-codes.ts';
import { contract, endpointLines } from '../../shared/contract.ts';
import { measureColdStarts } from './lambda/cold.ts';
import { type Figures, measure } from './lambda/measure.ts';
import type { Failure } from './lambda/measure-each.ts';
import { findLimiter, type Limiter, limiterNames } from './lambda/quota.ts';
import { measureSamples, sampleMemoryMb } from './lambda/samples.ts';
import { type Scenario, scenarios } from './lambda/scenarios.ts';
import { latencies, startWorld } from './lambda/world.ts';

/** The cheapest size that meets the goal and is above what the process takes. */
const recommendation = (scenario: Scenario, results: readonly Figures[]): string => {
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

/** Returns these functions, or all of some lines. */
const chosenOf = (names: readonly string[], lines: typeof contract) => {
  const chosen = names.length === 0 ? lines : contract.filter((line) => names.includes(line.function));
  return chosen.map((line) => line.function);
};

/** Prints a row of cells for each function, and at the end why others have none. @returns whether all were measured */
const printRows = async <Figures extends { readonly function: string }>(
  measured: AsyncIterable<Figures | Failure>,
  cellsOf: (figures: Figures) => readonly string[],
): Promise<boolean> => {
  const failures: string[] = [];
  for await (const one of measured)
    if (isFailure(one)) failures.push(`${one.function}: ${one.failure}`);
    else console.log(`| ${[`\`${one.function}\``, ...cellsOf(one)].join(' | ')} |`);
  for (const failure of failures) console.error(failure);
  return failures.length === 0;
};

const isFailure = (one: object): one is Failure => 'failure' in one;

/** Prints the cold starts of functions beside those of bare handlers. @returns whether all were measured */
const printColdStarts = (names: readonly string[], limiter: Limiter): Promise<boolean> => {
  const chosen = chosenOf(names, endpointLines());
  console.log('| function | INIT CPU ms | bare | first CPU ms | bare | cold ms | bare | ratio |');
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
  return printRows(measureColdStarts(chosen, limiter), ({ own, bare, ownMs, bareMs, ratio }) => {
    const figures = [own.initCpuMs, bare.initCpuMs, own.firstCpuMs, bare.firstCpuMs, ownMs, bareMs];
    return [...figures.map((value) => value.toFixed(0)), ratio.toFixed(2)];
  });
};

/** Prints the CPU time of functions with their sample events. @returns whether all were measured */
const printSamples = (names: readonly string[], limiter: Limiter): Promise<boolean> => {
  const chosen = chosenOf(names, contract);
  console.log(
    `| function | INIT CPU ms | first CPU ms | warm CPU ms | AWS calls | cold ms | warm ms | RSS MB | USD per million |`,
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|');
  return printRows(measureSamples(chosen, limiter), (one) => {
    const { initCpuMs, firstCpuMs, cpuMs, calls, coldMs, warmMs, rssMb, usdPerMillion } = one;
    const figures = [initCpuMs.toFixed(0), firstCpuMs.toFixed(0), cpuMs.toFixed(1), calls.toFixed(1)];
    return [...figures, ...[coldMs, warmMs, rssMb].map((value) => value.toFixed(0)), usdPerMillion.toFixed(2)];
  });
};

const namesOf = (lines: readonly { readonly function: string }[]): string[] => [
  ...new Set(lines.map((line) => line.function)),
];

/** Throws UsageError if a size is none of Lambda. */
const memorySizes = (text: string): readonly number[] => {
  const sizes = text.split(',').map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 128 || size > 10_240))
    throw new UsageError(`--memory is '${text}'; it must be sizes from 128 to 10240, separated by commas.`);
  return sizes;
};

interface Chosen {
  readonly names: readonly string[];
  readonly sizes: readonly number[];
  readonly isJson: boolean;
}

/** Prints a table of each scenario, or one JSON document. */
const printSizes = async ({ names, sizes, isJson }: Chosen, limiter: Limiter): Promise<void> => {
  const world = await startWorld();
  const results: Figures[] = [];
  try {
    for (const scenario of scenarios.filter((one) => names.length === 0 || names.includes(one.function))) {
      if (!isJson) printHead(scenario);
      world.setLatency(false);
      const nextEvent = await scenario.prepare(world);
      for (const size of sizes) {
        const figures = await measure(world, scenario, nextEvent, size, limiter);
        results.push(figures);
        if (!isJson) console.log(row(figures));
      }
      if (!isJson) console.log(`\n${recommendation(scenario, results)}\n`);
    }
  } finally {
    await world.stop();
  }
  if (isJson)
    console.log(JSON.stringify({ limiter: limiter.name, node: process.version, latencies, results }, null, 2));
};

const defaultSizes = '128,256,512,1024,1769,3008';

await run(
  command('npm run bench:lambda --')
    .description(
      'Measures the deployed bundles under the share of a CPU that Lambda gives to each memory size. Needs cgroups (root on Linux) or cpulimit.',
    )
    .argument(
      '[function...]',
      `Functions to measure: ${namesOf(scenarios).join(', ')}; with --samples or --cold any other, too (default: all, about ten minutes).`,
    )
    .addOption(
      new Option('--memory <sizes>', 'Memory sizes in MB, separated by commas.')
        .argParser(memorySizes)
        .default(memorySizes(defaultSizes), defaultSizes),
    )
    .option(
      '--samples',
      `Measure the CPU time of functions with their sample events at ${sampleMemoryMb} MB; cold and warm times are calculated.`,
      false,
    )
    .option(
      '--cold',
      'Measure INIT and the first event of endpoints beside a handler that only makes the same clients and calls, in turns, at the memory of the contract.',
      false,
    )
    .addOption(
      new Option('--limiter <name>', 'Limit of the CPU (default: the first that is possible).').choices(limiterNames),
    )
    .option('--json', 'Print one JSON document instead of a table.', false)
    .action(async (names, { memory: sizes, samples, cold, limiter: named, json: isJson }) => {
      const known = namesOf(cold || samples ? contract : scenarios);
      const unknown = names.find((name) => !known.includes(name));
      if (unknown !== undefined)
        throw new UsageError(`<function> is '${unknown}'; it must be one of ${known.join(', ')}.`);
      const limiter = findLimiter(named);
      if (cold) process.exitCode = (await printColdStarts(names, limiter)) ? 0 : 1;
      else if (samples) process.exitCode = (await printSamples(names, limiter)) ? 0 : 1;
      else await printSizes({ names, sizes, isJson }, limiter);
    }),
);
process.exit();
