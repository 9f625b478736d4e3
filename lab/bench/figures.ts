/** Figures with gates: prints them as a table, and sets the exit code 1 if a figure misses its gate. */

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly gate?: { readonly sign: '≤'; readonly limit: number } | undefined;
}

export interface Figures {
  readonly atMost: (what: string, value: number, unit: string, limit: number) => void;
  /** Adds a figure without a gate. */
  readonly note: (what: string, value: number, unit: string) => void;
  readonly print: () => void;
  /** Returns the figures whose names match as a Markdown table. */
  readonly table: (fits: (what: string) => boolean) => string;
}

export const makeFigures = (): Figures => {
  const figures: Figure[] = [];
  return {
    atMost: (what, value, unit, limit) => figures.push({ what, value, unit, gate: { sign: '≤', limit } }),
    note: (what, value, unit) => figures.push({ what, value, unit }),
    print() {
      const width = Math.max(...figures.map(({ what }) => what.length));
      for (const { what, value, unit, gate } of figures) {
        const good = gate === undefined || value <= gate.limit;
        const figure = `${shown({ value, gate }).padStart(7)} ${unit.padEnd(3)}`;
        console.log(`${good ? ' ' : '✗'} ${what.padEnd(width)} ${figure} ${limitOf({ gate, unit })}`.trimEnd());
        if (!good) process.exitCode = 1;
      }
    },
    table: (fits) =>
      [
        '| what | measured | gate |',
        '|---|---:|---:|',
        ...figures
          .filter(({ what }) => fits(what))
          .map((one) => `| ${one.what} | ${`${shown(one)} ${one.unit}`.trim()} | ${limitOf(one)} |`),
      ].join('\n'),
  };
};

const shown = ({ value, gate }: Pick<Figure, 'value' | 'gate'>): string =>
  value.toFixed(Math.max(Number.isInteger(gate?.limit ?? 0) ? 0 : 2, significant(value)));

const limitOf = ({ gate, unit }: Pick<Figure, 'gate' | 'unit'>): string =>
  gate === undefined ? '' : `${gate.sign} ${gate.limit} ${unit}`.trim();

/** Returns how many decimals show a figure's first two significant digits. */
const significant = (value: number): number =>
  Number.isInteger(value) ? 0 : Math.max(0, 1 - Math.floor(Math.log10(Math.abs(value))));
