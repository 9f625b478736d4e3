/** Summarises the results of mutation testing: the score of each file, and the changes that survive with their explanations. */
import type { schema } from '@stryker-mutator/api/core';
import type { Explanations } from './survivors.ts';

/** Returns the survivors of a file, grouped by explanation. */
const listOf = ({ survivors }: FileScore): string => {
  const byReason = Map.groupBy(survivors, ({ why }) => why ?? 'Not explained.');
  return [...byReason]
    .map(([why, some]) => `- ${why}\n${some.map(({ line, change }) => `  - line ${line}: ${code(change)}`).join('\n')}`)
    .join('\n');
};

export interface PartResult {
  /** The time of its run. */
  readonly seconds: number;
  /** The commit that it ran on. */
  readonly revision: string;
  readonly files: Readonly<Record<string, schema.FileResult>>;
}

export interface Survivor {
  readonly file: string;
  readonly line: number;
  /** `before → after`, each on one line. */
  readonly change: string;
  /** The explanation; undefined if there is none. */
  readonly why: string | undefined;
}

interface FileScore {
  readonly file: string;
  readonly killed: number;
  /** Of those, how many hang until they are stopped. */
  readonly hanging: number;
  readonly survivors: readonly Survivor[];
  readonly refused: number;
  readonly ignored: number;
}

const maxLength = 120;
const inOneLine = (code: string): string => {
  const line = code.replace(/\s+/g, ' ').trim();
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
};

/** Returns the source between two places; lines and columns count from 1. */
const sourceAt = ({ start, end }: schema.Location, source: string): string => {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, at) => line.slice(at === 0 ? start.column - 1 : 0, at === last ? end.column - 1 : undefined))
    .join('\n');
};

const scoresOf = (results: readonly PartResult[], explanations: Explanations): FileScore[] => {
  return results
    .flatMap(({ files }) => Object.entries(files))
    .map(([file, { mutants, source }]) => {
      const having = (...statuses: schema.MutantStatus[]) => mutants.filter(({ status }) => statuses.includes(status));
      const survivors = having('Survived', 'NoCoverage').map(({ location, replacement = '' }) => {
        const change = `${inOneLine(sourceAt(location, source))} → ${inOneLine(replacement)}`;
        const why = explanations[file]?.find(({ changes }) => changes.includes(change))?.why;
        return { file, line: location.start.line, change, why };
      });
      return {
        file,
        survivors,
        killed: having('Killed', 'Timeout').length,
        hanging: having('Timeout').length,
        refused: having('CompileError', 'RuntimeError').length,
        ignored: having('Ignored').length,
      };
    })
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
};

/** Returns the survivors that need a test or an explanation. */
export const unexplained = (results: readonly PartResult[], explanations: Explanations): readonly Survivor[] =>
  scoresOf(results, explanations).flatMap(({ survivors }) => survivors.filter(({ why }) => why === undefined));

/** Returns explanations of mutated files without a survivor. */
export const outdated = (results: readonly PartResult[], explanations: Explanations): readonly string[] =>
  scoresOf(results, explanations).flatMap(({ file, survivors }) =>
    (explanations[file] ?? [])
      .flatMap(({ changes }) => changes)
      .filter((change) => !survivors.some((survivor) => survivor.change === change))
      .map((change) => `${file}: ${change}`),
  );

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

/** Returns the score of each file and of all, as a Markdown table. */
export const tableOf = (results: readonly PartResult[], explanations: Explanations): string => {
  const scores = scoresOf(results, explanations);
  const row = (name: string, files: readonly FileScore[]): string => {
    const sum = (count: (file: FileScore) => number): number => files.reduce((total, file) => total + count(file), 0);
    const killed = sum((file) => file.killed);
    const survived = sum((file) => file.survivors.length);
    const explained = sum((file) => file.survivors.filter(({ why }) => why !== undefined).length);
    const outside = [sum((file) => file.refused), sum((file) => file.ignored)];
    const counts = [killed, sum((file) => file.hanging), survived, explained, ...outside];
    return `| ${[name, percent(killed, killed + survived), ...counts].join(' | ')} |`;
  };
  const rooms = [...Map.groupBy(scores, ({ file }) => file.split('/').slice(0, 2).join('/'))];
  return [
    '| file | score | killed | of them hang | survived | of them explained | do not compile | ignored |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...scores.map((score) => row(score.file, [score])),
    ...rooms.map(([room, files]) => row(`**${room}**`, files)),
    row('**all**', scores),
  ].join('\n');
};

/** Returns code as Markdown, whatever it contains. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Returns the page; `missing` are the parts of the scope without a result. */
export const pageOf = (
  results: readonly PartResult[],
  explanations: Explanations,
  missing: readonly string[] = [],
): string => {
  const minutes = Math.ceil(results.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const files = scoresOf(results, explanations).filter(({ survivors }) => survivors.length > 0);
  const revisions = [...new Set(results.map(({ revision }) => revision))].join(', ');
  const notRun = missing.length === 0 ? '' : ` Not run: the parts ${missing.join(', ')}.`;
  return `# Mutation testing

\`npm run mutate\` changes the code in small ways (mutants), one at a time, and runs the nearest tests on each change. A mutant is killed
when a test fails or hangs; one that survives shows behaviour that no test holds, or code that makes no difference. The score is the
share of killed mutants. Mutants that do not compile and those in the wording of errors, schemas and log lines do not count.

\`npm run mutate -- <glob>\` runs some files, \`--part <name>\` a part, \`--help\` shows the options. [\`scope.ts\`](../test/mutation/scope.ts) states the
parts and their tests, [\`survivors.ts\`](../test/mutation/survivors.ts) the explanations below.

\`npm run mutate -- --page\` writes this page from the latest run of each part: ${minutes} minutes together, at revision ${revisions}.${notRun}

${tableOf(results, explanations)}

## Survivors
${files.map((score) => `\n### ${score.file}\n\n${listOf(score)}\n`).join('')}`;
};
