/**
 * Measures what each function takes at each memory size: the deployed bundles, each in a process with that size's share of a CPU, as on Lambda.
 * INIT runs with a full CPU. Table, queues, mail and receivers run outside the quota and answer with AWS's latency.
 */
import { Option } from '@commander-js/extra-typings';
import { command, run } from '../../infra/command-line/command.ts';
import { UsageError } from '../../infra/command-line/exit-codes.ts';
import { contract, defaultMemoryMb, endpointLines } from '../../shared/contract.ts';
import { writeSection } from '../page-section.ts';
import { headRevision } from './head-revision.ts';
import { servicesOf } from './lambda/bare.ts';
import { measureColdStarts } from './lambda/cold.ts';
import { type Figures, measure } from './lambda/measure.ts';
import { type Failure, failureOf } from './lambda/measure-each.ts';
import { findLimiter, type Limiter, limiterNames } from './lambda/quota.ts';
import { measureSamples, sampleMemoryMb } from './lambda/samples.ts';
import { type Scenario, scenarios } from './lambda/scenarios.ts';
import {
  coldHead,
  coldRow,
  coldSummary,
  failedRow,
  recommendationTable,
  samplesHead,
  samplesRow,
  samplesSummary,
  sizesHead,
  sizesRow,
} from './lambda/tables.ts';
import { latencies, startWorld } from './lambda/world.ts';
import { machineText } from './machine.ts';

/** Prints text, and keeps it for the page. */
interface Output {
  readonly write: (text: string) => void;
  readonly text: () => string;
}

const startOutput = (): Output => {
  const written: string[] = [];
  return {
    write(text) {
      written.push(text);
      console.log(text);
    },
    text: () => written.join('\n').trim(),
  };
};

/** Writes a section of lab/reports/lambda.md: how it was measured, and the printed tables. */
const writePage = (command: string, limiter: Limiter, text: string): void => {
  const date = new Date().toISOString().slice(0, 10);
  const measured = `Revision ${headRevision()}, ${date}, ${machineText()}, ${limiter.name}.`;
  writeSection('lambda.md', command, `${measured}\n\n${text}`);
};

/** Returns the named functions, or all of them if none is named. */
const chosenOf = (names: readonly string[], lines: typeof contract) => {
  const chosen = names.length === 0 ? lines : contract.filter((line) => names.includes(line.function));
  return chosen.map((line) => line.function);
};

const isFailure = (one: object): one is Failure => 'failure' in one;

/** Prints a row for each function, and at the end why some have none. @returns the figures; undefined unless all functions were measured */
const printRows = async <Figures extends { readonly function: string }>(
  measured: AsyncIterable<Figures | Failure>,
  printRow: (figures: Figures) => void,
): Promise<readonly Figures[] | undefined> => {
  const failures: string[] = [];
  const found: Figures[] = [];
  for await (const one of measured)
    if (isFailure(one)) failures.push(`${one.function}: ${one.failure}`);
    else {
      printRow(one);
      found.push(one);
    }
  for (const failure of failures) console.error(failure);
  if (failures.length === 0) return found;
  process.exitCode = 1;
  return undefined;
};

/** Prints the cold starts of functions next to those of bare handlers. */
const printColdStarts = async ({ names, isPage }: Chosen, limiter: Limiter): Promise<void> => {
  const output = startOutput();
  output.write(coldHead);
  // For a function without clients the bare handler does nothing at all; it does not even parse the request.
  const withClients = endpointLines().filter(({ function: name }) => servicesOf(name).length > 0);
  const measured = measureColdStarts(chosenOf(names, withClients), limiter);
  const found = await printRows(measured, (one) => output.write(coldRow(one)));
  if (found === undefined) return;
  output.write(`\n${coldSummary(found)}`);
  if (isPage) writePage('npm --prefix lab run bench:lambda -- --cold --page', limiter, output.text());
};

/** Prints the CPU time of functions with their sample events. */
const printSamples = async ({ names, isPage }: Chosen, limiter: Limiter): Promise<void> => {
  const output = startOutput();
  output.write(samplesHead);
  const measured = measureSamples(chosenOf(names, contract), limiter);
  const found = await printRows(measured, (one) => output.write(samplesRow(one)));
  if (found === undefined) return;
  output.write(`\n${samplesSummary(found)}`);
  if (isPage) writePage('npm --prefix lab run bench:lambda -- --samples --page', limiter, output.text());
};

const namesOf = (lines: readonly { readonly function: string }[]): string[] => [
  ...new Set(lines.map((line) => line.function)),
];

/** Parses memory sizes. @throws UsageError if Lambda does not have one of them */
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
  readonly isPage: boolean;
}

/** Prints a table for each scenario and the recommendation, or one JSON document. */
const printSizes = async ({ names, sizes, isJson, isPage }: Chosen, limiter: Limiter): Promise<void> => {
  const world = await startWorld();
  const output = startOutput();
  const write = (text: string) => isJson || output.write(text);
  const measured: [Scenario, Figures[]][] = [];
  try {
    for (const scenario of scenarios.filter((one) => names.length === 0 || names.includes(one.function))) {
      write(sizesHead(scenario));
      world.setLatency(false);
      const nextEvent = await scenario.prepare(world);
      const results: Figures[] = [];
      measured.push([scenario, results]);
      for (const size of sizes.filter((memoryMb) => memoryMb >= (scenario.minMemoryMb ?? 0))) {
        const figures = await measure(world, scenario, nextEvent, size, limiter).catch((error: unknown) => {
          // With little memory, calls time out; that is a result, not a failure.
          if (size >= defaultMemoryMb) throw error;
          console.error(failureOf(scenario.function, error).failure);
        });
        if (figures !== undefined) results.push(figures);
        write(figures === undefined ? failedRow(size) : sizesRow(figures));
      }
      write('');
    }
  } finally {
    await world.stop();
  }
  const results = measured.flatMap(([, figures]) => figures);
  if (isJson) {
    console.log(JSON.stringify({ limiter: limiter.name, node: process.version, latencies, results }, null, 2));
    return;
  }
  const recommendation = recommendationTable(measured);
  console.log(recommendation);
  if (!isPage) return;
  writePage('npm --prefix lab run bench:lambda -- --page: recommendation', limiter, recommendation);
  writePage('npm --prefix lab run bench:lambda -- --page', limiter, output.text());
};

const defaultSizes = '128,256,512,768,1024,1769,3008';

await run(
  command('npm --prefix lab run bench:lambda --')
    .description(
      'Measures the deployed bundles under the share of a CPU that Lambda gives to each memory size. Needs cgroups (root on Linux) or cpulimit.',
    )
    .argument(
      '[function...]',
      `Functions to measure: ${namesOf(scenarios).join(', ')}; with --samples or --cold also any other (default: all, about ten minutes).`,
    )
    .addOption(
      new Option('--memory <sizes>', 'Memory sizes in MB, separated by commas.')
        .argParser(memorySizes)
        .default(memorySizes(defaultSizes), defaultSizes),
    )
    .option(
      '--samples',
      `Measure the CPU time of functions with their sample events at ${sampleMemoryMb} MB; cold and warm times are calculated from it.`,
      false,
    )
    .option(
      '--cold',
      'Measure INIT and the first event of endpoints, in turns with a handler that only makes the same clients and calls, at the memory of the contract.',
      false,
    )
    .addOption(
      new Option('--limiter <name>', 'How to limit the CPU (default: the first way that this machine has).').choices(
        limiterNames,
      ),
    )
    .option('--json', 'Print one JSON document instead of a table.', false)
    .option('--page', 'Measure all functions, and write the tables into lab/reports/lambda.md.', false)
    .action(async (names, { memory: sizes, samples, cold, limiter: named, json: isJson, page: isPage }) => {
      const known = namesOf(cold || samples ? contract : scenarios);
      const unknown = names.find((name) => !known.includes(name));
      if (unknown !== undefined)
        throw new UsageError(`<function> is '${unknown}'; it must be one of ${known.join(', ')}.`);
      if (isPage && (names.length > 0 || isJson))
        throw new UsageError('--page measures all functions and excludes --json; leave out the names.');
      const limiter = findLimiter(named);
      const chosen = { names, sizes, isJson, isPage };
      await (cold ? printColdStarts : samples ? printSamples : printSizes)(chosen, limiter);
    }),
);
process.exit();
