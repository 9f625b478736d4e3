/** Summarises the results of mutation testing: the score of each file, and the surviving changes with their explanations. */
import type { schema } from '@stryker-mutator/api/core';
import type { Explanations } from './survivors.ts';

const notExplained = 'Not explained.';

/** Returns the survivors of a file, grouped by explanation. */
const listOf = ({ survivors }: FileScore): string => {
  const byReason = Map.groupBy(survivors, ({ why }) => why ?? notExplained);
  return [...byReason]
    .map(([why, some]) => `- ${why}\n${some.map(({ line, change }) => `  - line ${line}: ${code(change)}`).join('\n')}`)
    .join('\n');
};

export interface PartResult {
  /** The commit that was tested. */
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
  /** How many of the killed mutants hung until they were stopped. */
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

/** Returns the source between two places. Lines and columns are counted from 1. */
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

/** Returns explanations in mutated files that match no survivor. */
export const outdated = (results: readonly PartResult[], explanations: Explanations): readonly string[] =>
  scoresOf(results, explanations).flatMap(({ file, survivors }) =>
    (explanations[file] ?? [])
      .flatMap(({ changes }) => changes)
      .filter((change) => !survivors.some((survivor) => survivor.change === change))
      .map((change) => `${file}: ${change}`),
  );

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

/** Returns the score of each file and of all files as a Markdown table. */
export const tableOf = (results: readonly PartResult[], explanations: Explanations): string =>
  tableOfScores(scoresOf(results, explanations));

const tableOfScores = (scores: readonly FileScore[]): string => {
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

/** Returns code as Markdown, regardless of what it contains. */
const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** Reads the files' scores from a page, so that a part without a report on this machine need not run again. */
const scoresIn = (page: string): FileScore[] => {
  const sections = new Map(page.split('\n### ').map((section) => [section.split('\n', 1)[0] ?? '', section]));
  return [...page.matchAll(/^\| (shared\/\S+\.ts) \| (.+) \|$/gm)].map(([, file = '', cells = '']) => {
    const [, killed = 0, hanging = 0, , , refused = 0, ignored = 0] = cells.split(' | ').map(Number);
    return { file, killed, hanging, survivors: survivorsIn(file, sections.get(file) ?? ''), refused, ignored };
  });
};

const survivorsIn = (file: string, section: string): Survivor[] => {
  let why: string | undefined;
  return section.split('\n').flatMap((row): Survivor[] => {
    if (row.startsWith('- ')) why = row === `- ${notExplained}` ? undefined : row.slice(2);
    const [, line, one, other] = /^ {2}- line (\d+): (?:`` (.*) ``|`(.*)`)$/.exec(row) ?? [];
    return line === undefined ? [] : [{ file, line: Number(line), change: one ?? other ?? '', why }];
  });
};

const revisionsIn = (page: string): string[] => /at revision ([\w, ]+)\./.exec(page)?.[1]?.split(', ') ?? [];

/** Returns the files that have a row in a page. */
export const filesIn = (page: string): readonly string[] => scoresIn(page).map(({ file }) => file);

/**
 * Returns the page. Files in `wanted` that have no result keep their rows from the page `before`.
 * @param missing parts and files of the scope that have neither a result nor a row
 */
export const pageOf = (
  results: readonly PartResult[],
  explanations: Explanations,
  { before = '', wanted = [], missing = [] }: Earlier = {},
): string => {
  const run = scoresOf(results, explanations);
  const kept = scoresIn(before).filter(({ file }) => wanted.includes(file) && !run.some((one) => one.file === file));
  const scores = [...run, ...kept].toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const withSurvivors = scores.filter(({ survivors }) => survivors.length > 0);
  const earlier = kept.length === 0 ? [] : revisionsIn(before);
  const revisions = [...new Set([...earlier, ...results.map(({ revision }) => revision)])].join(', ');
  const notRun = missing.length === 0 ? '' : ` Not run: ${missing.join(', ')}.`;
  return `# Mutation testing

\`npm --prefix lab run mutate\` changes the code in small ways (mutants), one at a time, and runs the nearest tests on each change. A mutant is killed
when a test fails or hangs; one that survives shows behaviour that no test holds, or code that makes no difference. The score is the
share of killed mutants. Mutants that do not compile and those in the wording of errors, schemas and log lines do not count, and the
examples of events (shared/events/examples.ts) are not mutated: they are documentation.

\`npm --prefix lab run mutate -- <glob>\` runs some files, \`--part <name>\` a part, \`--help\` shows the options. [\`scope.ts\`](../lab/mutation/scope.ts) states the
parts and their tests, [\`survivors.ts\`](../lab/mutation/survivors.ts) the explanations below.

\`npm --prefix lab run mutate -- --page\` writes the latest run of each part into this page and keeps the rows of the others: at revision ${revisions}.${notRun}

${tableOfScores(scores)}

## Survivors
${withSurvivors.map((score) => `\n### ${score.file}\n\n${listOf(score)}\n`).join('')}`;
};

interface Earlier {
  readonly before?: string;
  readonly wanted?: readonly string[];
  readonly missing?: readonly string[];
}
