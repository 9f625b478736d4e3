/** The sections of lab/reports that a command writes; what is around them is written by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const reports = join(import.meta.dirname, 'reports');

/** Replaces a page's section between a command's markers. @throws Error if the page has no such markers */
export const writeSection = (page: string, command: string, section: string): void => {
  const [begin, end] = [`<!-- begin: ${command} -->`, `<!-- end: ${command} -->`];
  const file = join(reports, page);
  const [before, rest] = readFileSync(file, 'utf8').split(begin, 2);
  const [, after] = rest?.split(end, 2) ?? [];
  if (before === undefined || after === undefined) throw new Error(`lab/reports/${page} has no section ${begin}.`);
  writeFileSync(file, `${before}${begin}\n\n${section}\n\n${end}${after}`);
};
