/** Commands to paste into a POSIX shell, in any folder, regardless of the characters in a path. */
import { join } from 'node:path';
import type { Home } from './home.ts';

const root = join(import.meta.dirname, '../..');

/** Quotes a word for the shell. */
export const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Returns the command that runs one of this repository's npm scripts for the stack in this home. */
export const npmRun = (home: Home, script: string, ...args: readonly string[]): string =>
  [
    `MASTHEAD_HOME=${quote(home.folder)} npm run -s ${script} --prefix ${quote(root)}`,
    ...(args.length === 0 ? [] : ['--', ...args.map(quote)]),
  ].join(' ');
