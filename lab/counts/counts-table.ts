/** Formats the counts as a table for the terminal. */
import type { Counts, FunctionCounts } from '../../infra/emulator/proxy/count.ts';

interface Column {
  readonly title: string;
  readonly of: (counts: FunctionCounts) => number;
  /** Digits after the decimal point. Default: 0. */
  readonly digits?: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const columns: readonly Column[] = [
  { title: 'runs', of: ({ invocations }) => invocations },
  { title: 'failed', of: ({ failures }) => failures },
  { title: 'ms', of: ({ ms }) => ms },
  { title: 'GB s', of: ({ gbSeconds }) => gbSeconds, digits: 2 },
  { title: 'calls', of: ({ calls }) => sum(Object.values(calls)) },
  { title: 'failed', of: ({ failedCalls }) => failedCalls },
  { title: 'read units', of: ({ readUnits }) => readUnits, digits: 1 },
  { title: 'write units', of: ({ writeUnits }) => writeUnits, digits: 1 },
  { title: 'queue requests', of: ({ queueRequests }) => queueRequests },
  { title: 'mails', of: ({ mails }) => mails },
];

/** Returns one line per function, and their sum. */
export const countsTable = ({ since, functions }: Counts): string => {
  const names = Object.keys(functions).sort();
  if (names.length === 0) return `Nothing has run since ${since}.`;
  const cells = (counts: readonly FunctionCounts[]) =>
    columns.map(({ of, digits = 0 }) => sum(counts.map(of)).toFixed(digits));
  const rows = [
    ['function', ...columns.map(({ title }) => title)],
    ...names.map((name) => [name, ...cells(functions[name] ? [functions[name]] : [])]),
    ['together', ...cells(Object.values(functions))],
  ];
  const widths = rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  return [`Since ${since}`, '', ...lines].join('\n');
};
