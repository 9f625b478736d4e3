/** The section of lab/reports/performance.md with the fan-outs of `npm --prefix lab run bench:long -- fan-out --page`. */
import { writeSection } from '../page-section.ts';
import { headRevision } from './head-revision.ts';

/** A measured fan-out. */
export interface FanOutSize {
  readonly subscribers: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly runs: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** A measured fan-out with the time it takes under the function's share of a CPU. */
  readonly seconds: number;
  readonly peakMb: number;
  readonly liveMb: number;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const rowOf = ({ subscribers, calls, runs, cpuMs, seconds, liveMb, peakMb }: FanOutSize): string => {
  const all = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const cells = [
    whole(subscribers),
    seconds.toPrecision(2),
    whole(runs),
    whole(all),
    (all / subscribers).toPrecision(3),
    (cpuMs / subscribers).toPrecision(2),
    whole(liveMb),
    whole(peakMb),
  ];
  return `| ${cells.join(' | ')} |`;
};

/** Writes the table of these fan-outs, for a function with `memoryMb` MiB. */
export const writeFanOutPage = (sizes: readonly FanOutSize[], memoryMb: number): void =>
  writeSection(
    'performance.md',
    'npm --prefix lab run bench:long -- fan-out --page',
    `At revision ${headRevision()}:

| subscribers | seconds at ${memoryMb} MiB | runs here | requests to AWS | for each | ms of CPU for each | live MiB | peak MiB |
|---:|---:|---:|---:|---:|---:|---:|---:|
${sizes.map(rowOf).join('\n')}`,
  );
