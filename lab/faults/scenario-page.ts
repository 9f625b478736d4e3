/** Writes the sections of lab/reports/simulation.md for `npm --prefix lab run simulate -- <scenario> --page`. */

import { headRevision } from '../bench/head-revision.ts';
import { writeSection } from '../page-section.ts';
import type { Gate, Report } from './scenarios/scenario.ts';

/** A scenario's figures, from the world with this seed or from several worlds. */
export interface PageEntry {
  readonly name: string;
  readonly shows: string;
  /** The command that reproduces these figures. */
  readonly command: string;
  readonly figures: Report['figures'];
  readonly gates: Report['gates'];
}

const shown = (value: number | undefined): string => {
  if (value === undefined) return '';
  return Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
};

const gateText = ({ atMost, atLeast }: Gate): string =>
  [
    ...(atMost === undefined ? [] : [`≤ ${atMost.toLocaleString('en')}`]),
    ...(atLeast === undefined ? [] : [`≥ ${atLeast.toLocaleString('en')}`]),
  ].join(', ');

/** Splits a name like `warm: lost` into the situation and the measured quantity. */
const partsOf = (name: string): readonly [situation: string, what: string] => {
  const [situation = '', what] = name.split(': ', 2);
  return what === undefined ? ['', name] : [situation, what];
};

/** Returns the table: a row per figure and a column per situation. Counts of 0 without a gate are left out. */
const tableOf = (figures: Report['figures'], gates: Report['gates']): string => {
  const names = Object.keys(figures).map(partsOf);
  const situations = [...new Set(names.map(([situation]) => situation))];
  const rows = [...new Set(names.map(([, what]) => what))].flatMap((what) => {
    const full = situations.map((situation) => (situation === '' ? what : `${situation}: ${what}`));
    const limits = [...new Set(full.flatMap((name) => gates[name] ?? []).map(gateText))];
    if (limits.length === 0 && full.every((name) => !figures[name])) return [];
    const values = full.map((name) => shown(figures[name]));
    return [`| ${[what, ...values, limits.join('; ')].join(' | ')} |`];
  });
  return [
    `| figure | ${[...situations.map((name) => name || (situations.length > 1 ? 'all' : 'value')), 'gate'].join(' | ')} |`,
    `|---|${situations.map(() => '--:|').join('')}--:|`,
    ...rows,
  ].join('\n');
};

/** Writes the scenario's section. @throws Error if the page has no section for it */
export const writeScenarioPage = ({ name, shows, command, figures, gates }: PageEntry): void =>
  writeSection(
    'simulation.md',
    `npm --prefix lab run simulate -- ${name} --page`,
    `### ${name}\n\n${shows[0]?.toUpperCase()}${shows.slice(1)}. \`${command}\` at revision ${headRevision()}:\n\n${tableOf(figures, gates)}`,
  );
