/** The results of a benchmark: their format as JSON and as a table. */
import * as v from 'valibot';
import { median, type Ratio, ratioOf } from '../statistics.ts';
import type { Figure, Values } from './bench.ts';
import { benches } from './benches.ts';

export const resultSchema = v.object({
  bench: v.string(),
  /** The command that measured this. */
  command: v.string(),
  /** This revision, and the revision that it was compared with. */
  sides: v.array(v.object({ revision: v.string(), rounds: v.array(v.record(v.string(), v.number())) })),
});

export interface Result {
  readonly bench: string;
  readonly command: string;
  readonly sides: readonly { readonly revision: string; readonly rounds: readonly Values[] }[];
}

export interface Row {
  readonly figure: Figure;
  /** The median of each side. */
  readonly medians: readonly number[];
  /** The lowest and highest round of the first side. */
  readonly spread: readonly [number, number];
  /** The first side divided by the second, if there are two. */
  readonly ratio: Ratio | undefined;
}

/** Returns the figures of a result in the order of their benchmark. */
export const rowsOf = ({ bench, sides }: Result): readonly Row[] =>
  Object.entries(benches[bench]?.figures ?? {}).map(([name, figure]) => {
    const values = sides.map(({ rounds }) => rounds.map((round) => round[name] ?? Number.NaN));
    const [own = [], other] = values;
    return {
      figure,
      medians: values.map(median),
      spread: [Math.min(...own), Math.max(...own)],
      ratio: other === undefined ? undefined : ratioOf(own, other),
    };
  });

/** Returns a number with three significant digits; digits before the decimal point are never rounded away. */
export const shown = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value.toPrecision(Math.min(3, Math.abs(value) < 1 ? 2 : 3));

/** Returns a table for a terminal: the medians, the spread, the ratio. */
export const tableOf = (result: Result): string => {
  const lines = rowsOf(result).map(({ figure: { title, unit }, medians, spread, ratio }) => {
    const [own = Number.NaN, other] = medians;
    const compared =
      other === undefined || ratio === undefined
        ? ''
        : `  ${result.sides[1]?.revision}: ${shown(other)}, ratio ${ratio.value.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
    return `  ${title.padEnd(44)} ${shown(own).padStart(7)} ${unit.padEnd(13)} ${`${spread.map(shown).join(' to ')}`.padEnd(18)}${compared}`.trimEnd();
  });
  return [`${result.bench}, ${result.sides[0]?.revision}, ${result.sides[0]?.rounds.length} rounds`, ...lines].join(
    '\n',
  );
};
