/** Figures with gates: prints them as a table, and sets the exit code 1 if one is missed. */

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly gate?: { readonly sign: '≥' | '≤'; readonly limit: number };
}

export interface Figures {
  readonly atLeast: (what: string, value: number, unit: string, limit: number) => void;
  readonly atMost: (what: string, value: number, unit: string, limit: number) => void;
  /** A figure without a gate. */
  readonly note: (what: string, value: number, unit: string) => void;
  readonly print: () => void;
}

export const makeFigures = (): Figures => {
  const figures: Figure[] = [];
  return {
    atLeast: (what, value, unit, limit) => figures.push({ what, value, unit, gate: { sign: '≥', limit } }),
    atMost: (what, value, unit, limit) => figures.push({ what, value, unit, gate: { sign: '≤', limit } }),
    note: (what, value, unit) => figures.push({ what, value, unit }),
    print() {
      const width = Math.max(...figures.map(({ what }) => what.length));
      for (const { what, value, unit, gate } of figures) {
        const good = gate === undefined || (gate.sign === '≥' ? value >= gate.limit : value <= gate.limit);
        const digits = Number.isInteger(gate?.limit ?? 0) ? 0 : 2;
        const limit = gate === undefined ? '' : `${gate.sign} ${gate.limit} ${unit}`;
        const figure = `${value.toFixed(digits).padStart(7)} ${unit.padEnd(3)}`;
        console.log(`${good ? ' ' : '✗'} ${what.padEnd(width)} ${figure} ${limit}`.trimEnd());
        if (!good) process.exitCode = 1;
      }
    },
  };
};

/** Returns the quantile of the values; NaN without values. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);
