/** The introduction of the OpenAPI document, and the guide for receivers. */
import { readFileSync } from 'node:fs';

export const introduction = readFileSync(new URL('introduction.md', import.meta.url), 'utf8').trimEnd();

/** `docs/receiving.md` without its title and without links to files, which the documentation page does not serve. */
export const receivingGuide = readFileSync(new URL('../../docs/receiving.md', import.meta.url), 'utf8')
  .replace(/^# .*\n/, '')
  .replaceAll(/\[([^\]]+)\]\((?!https:)[^)]*\)/g, '$1');
