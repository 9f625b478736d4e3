/** Writes lab/reports/performance.md from the results in lab/reports/performance.json. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeSection } from '../../page-section.ts';
import { machineText } from '../machine.ts';
import { benches } from './benches.ts';
import { type Result, type Row, resultSchema, rowsOf, shown } from './results.ts';

const data = join(import.meta.dirname, '../../reports/performance.json');
const fileSchema = v.array(v.object({ ...resultSchema.entries, month: v.string(), machine: v.string() }));
interface Recorded extends Result {
  readonly month: string;
  readonly machine: string;
}

/** Adds the results, which replace earlier ones of the same benchmark, and writes the page. */
export const writePage = (results: readonly Result[]): void => {
  const earlier: readonly Recorded[] = existsSync(data)
    ? v.parse(fileSchema, JSON.parse(readFileSync(data, 'utf8')))
    : [];
  const month = new Date().toLocaleDateString('en-GB', { month: 'long', year: 'numeric' });
  const machine = machineText();
  const added = results.map((result) => ({ ...result, month, machine }));
  const byName = new Map([...earlier, ...added].map((result) => [result.bench, result]));
  const all = Object.keys(benches).flatMap((name) => byName.get(name) ?? []);
  writeFileSync(data, `${JSON.stringify(all, null, 2)}\n`);
  writeSection('performance.md', 'npm --prefix lab run bench -- --page', all.map(sectionOf).join('\n\n'));
};

const sectionOf = (result: Recorded): string => {
  const [own, other] = result.sides;
  const heads = [
    'figure',
    own?.revision ?? '',
    'lowest to highest',
    ...(other === undefined ? [] : [other.revision, 'ratio (95 % interval)']),
  ];
  const rows = rowsOf(result).map((row) => `| ${cellsOf(row).join(' | ')} |`);
  const { description = '' } = benches[result.bench] ?? {};
  return [
    `### ${result.bench}: ${description}`,
    '',
    `\`${result.command}\`: ${own?.rounds.length} rounds${other === undefined ? '' : ' of each revision, in turns'}; ${result.month}, ${result.machine}.`,
    '',
    `| ${heads.join(' | ')} |`,
    `|---|${heads
      .slice(1)
      .map(() => '---:|')
      .join('')}`,
    ...rows,
  ].join('\n');
};

const cellsOf = ({ figure: { title, unit, explanation, better }, medians, spread, ratio }: Row): string[] => [
  `**${title}** (${better} is better). ${explanation}`,
  `${shown(medians[0] ?? Number.NaN)} ${unit}`,
  spread.map(shown).join(' to '),
  ...medians.slice(1).map((value) => `${shown(value)} ${unit}`),
  ...(ratio === undefined ? [] : [`${ratio.value.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`]),
];
