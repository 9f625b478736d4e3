/** The tables that `npm --prefix lab run bench:lambda` prints and writes into lab/reports/lambda.md. */
import { endpointLines } from '../../../shared/contract.ts';
import { memoryOf } from '../../../test/support/function-memory.ts';
import type { ColdFigures } from './cold.ts';
import type { Figures } from './measure.ts';
import { type SampleFigures, sampleMemoryMb } from './samples.ts';
import type { Goal, Scenario } from './scenarios.ts';

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const whole = (value: number): string => value.toFixed(0);

const goalText = (goal: Goal, unit: string): string =>
  'p99Ms' in goal
    ? `warm p99 ≤ ${goal.p99Ms} ms; INIT and first request ≤ ${goal.coldMs} ms`
    : `≥ ${goal.perSecond} ${unit} a second and environment`;

/** The title and the header of a scenario's table. */
export const sizesHead = ({ function: name, event, goal, unit }: Scenario): string =>
  [
    `### ${name}: ${event}`,
    '',
    `Goal: ${goalText(goal, unit)}.`,
    '',
    '| MB | INIT ms | first ms | p50 ms | p99 ms | CPU ms | per second | RSS MB | USD per million | goal |',
    '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|',
  ].join('\n');

/** A row of that table. */
export const sizesRow = (figures: Figures): string => {
  const { memoryMb, initMs, firstMs, p50Ms, p99Ms, cpuMs, perSecond, rssMb, usdPerMillion, isGoalMet } = figures;
  return rowOf([
    ...[memoryMb, initMs, firstMs, p50Ms, p99Ms].map(whole),
    cpuMs.toFixed(1),
    ...[perSecond, rssMb].map(whole),
    usdPerMillion.toFixed(2),
    isGoalMet ? 'met' : 'missed',
  ]);
};

/** The row of a size at which an event failed. */
export const failedRow = (memoryMb: number): string => rowOf([whole(memoryMb), ...Array(8).fill('–'), 'failed']);

/** Returns the cheapest size that meets the scenario's goal and is larger than what the process occupies. */
export const cheapest = (results: readonly Figures[]): Figures | undefined =>
  results
    .filter(({ isGoalMet, rssMb, memoryMb }) => isGoalMet && rssMb < memoryMb)
    .toSorted((a, b) => a.usdPerMillion - b.usdPerMillion)[0];

/** The recommendation: for each scenario the cheapest size, next to that of the contract. */
export const recommendationTable = (measured: readonly (readonly [Scenario, readonly Figures[]])[]): string =>
  [
    '| function, event | goal | cheapest that meets it, MB | contract, MB | USD per million there | p99 ms there | per second there |',
    '|---|---|---:|---:|---:|---:|---:|',
    ...measured.map(([{ function: name, event, goal, unit }, results]) => {
      const own = results.find(({ memoryMb }) => memoryMb === memoryOf(name));
      const there = own && [own.usdPerMillion.toFixed(2), whole(own.p99Ms), whole(own.perSecond)];
      const found = cheapest(results)?.memoryMb;
      return rowOf([
        `\`${name}\`: ${event}`,
        goalText(goal, unit),
        found === undefined ? 'none' : String(found),
        String(memoryOf(name)),
        ...(there ?? ['', '', '']),
      ]);
    }),
  ].join('\n');

/** The head of the table of cold starts. */
export const coldHead =
  '| function | INIT CPU ms | bare | first CPU ms | bare | cold ms | bare | ratio |\n|---|---:|---:|---:|---:|---:|---:|---:|';

/** A row of the table of cold starts. */
export const coldRow = ({ function: name, own, bare, ownMs, bareMs, ratio }: ColdFigures): string =>
  rowOf([
    `\`${name}\``,
    ...[own.initCpuMs, bare.initCpuMs, own.firstCpuMs, bare.firstCpuMs, ownMs, bareMs].map(whole),
    ratio.toFixed(2),
  ]);

/** Summarises the ratios in one sentence. */
export const coldSummary = (measured: readonly ColdFigures[]): string => {
  const ratios = measured.map(({ ratio }) => ratio);
  const above = measured.filter(({ ratio }) => ratio > coldGoal);
  const missed = above.map(({ function: name, ratio }) => `\`${name}\` (${ratio.toFixed(2)})`).join(', ');
  return `Ratios from ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; goal: ${coldGoal}. Above it: ${missed || 'none'}.`;
};

/** Returns the highest ratio of a cold start to that of its bare handler. */
const coldGoal = 1.15;

/** The head of the table of sample events. */
export const samplesHead =
  '| function | INIT CPU ms | first CPU ms | warm CPU ms | AWS calls | cold ms | warm ms | RSS MB | USD per million |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|';

/** A row of the table of sample events. */
export const samplesRow = (figures: SampleFigures): string => {
  const { initCpuMs, firstCpuMs, cpuMs, calls, coldMs, warmMs, rssMb, usdPerMillion } = figures;
  return rowOf([
    `\`${figures.function}\``,
    ...[initCpuMs, firstCpuMs].map(whole),
    ...[cpuMs, calls].map((value) => value.toFixed(1)),
    ...[coldMs, warmMs, rssMb].map(whole),
    usdPerMillion.toFixed(2),
  ]);
};

/** Returns the ms of an endpoint's INIT and first request. */
const coldLimitMs = 500;

/** Lists the endpoints that miss the goal of a cold start at 512 MB, with the memory they really have. */
export const samplesSummary = (measured: readonly SampleFigures[]): string => {
  const endpoints = new Set<string>(endpointLines().map((line) => line.function));
  const slow = measured.filter((one) => endpoints.has(one.function) && one.coldMs > coldLimitMs);
  if (slow.length === 0) return `No endpoint takes more than ${coldLimitMs} ms cold at ${sampleMemoryMb} MB.`;
  return [
    `Endpoints that take more than ${coldLimitMs} ms cold at ${sampleMemoryMb} MB:`,
    '',
    `| function | cold ms at ${sampleMemoryMb} MB | contract, MB | cold ms there |`,
    '|---|---:|---:|---:|',
    ...slow.map((one) =>
      rowOf([
        `\`${one.function}\``,
        whole(one.coldMs),
        String(memoryOf(one.function)),
        whole(one.coldMsAt(memoryOf(one.function))),
      ]),
    ),
  ].join('\n');
};
