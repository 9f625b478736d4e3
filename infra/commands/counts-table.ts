/** Formats the counts as a table for the terminal. */
import type { Counts, FunctionCounts } from '../emulator/edge/count.ts';

const columns: readonly { readonly title: string; readonly of: (counts: FunctionCounts) => string }[] = [
  { title: 'runs', of: ({ invocations }) => String(invocations) },
  { title: 'failed', of: ({ failures }) => String(failures) },
  { title: 'ms', of: ({ ms }) => ms.toFixed(0) },
  { title: 'GB s', of: ({ gbSeconds }) => gbSeconds.toFixed(2) },
  { title: 'calls', of: ({ calls }) => String(Object.values(calls).reduce((sum, count) => sum + count, 0)) },
  { title: 'failed', of: ({ failedCalls }) => String(failedCalls) },
  { title: 'read units', of: ({ readUnits }) => readUnits.toFixed(1) },
  { title: 'write units', of: ({ writeUnits }) => writeUnits.toFixed(1) },
  { title: 'queue requests', of: ({ queueRequests }) => String(queueRequests) },
  { title: 'mails', of: ({ mails }) => String(mails) },
];

/** Returns one line per function, and their sum. */
export const countsTable = ({ since, functions }: Counts): string => {
  const names = Object.keys(functions).sort();
  const total = Object.values(functions).reduce(sum, undefined);
  if (total === undefined) return `Nothing has run since ${since}.`;
  const rows = [
    ['function', ...columns.map(({ title }) => title)],
    ...names.map((name) => [name, ...cells(functions[name] ?? total)]),
    ['together', ...cells(total)],
  ];
  const widths = rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  return [`Since ${since}`, '', ...lines].join('\n');
};

const cells = (counts: FunctionCounts): string[] => columns.map(({ of }) => of(counts));

const sum = (a: FunctionCounts | undefined, b: FunctionCounts): FunctionCounts => {
  if (a === undefined) return b;
  const calls = { ...a.calls };
  for (const [name, count] of Object.entries(b.calls)) calls[name] = (calls[name] ?? 0) + count;
  return {
    invocations: a.invocations + b.invocations,
    failures: a.failures + b.failures,
    ms: a.ms + b.ms,
    gbSeconds: a.gbSeconds + b.gbSeconds,
    calls,
    failedCalls: a.failedCalls + b.failedCalls,
    readUnits: a.readUnits + b.readUnits,
    writeUnits: a.writeUnits + b.writeUnits,
    queueRequests: a.queueRequests + b.queueRequests,
    mails: a.mails + b.mails,
  };
};
