/** Files as the user named them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** Returns the absolute path of a file. npm runs scripts in the root of the repository, and names the folder of the user in `INIT_CWD`. */
export const fileAt = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);

/** Returns the text of a file, or of standard input for `-`. @throws UsageError that begins with `what` */
export const textOf = (path: string, what: string): string => {
  try {
    return readFileSync(path === '-' ? 0 : fileAt(path), 'utf8');
  } catch (error) {
    throw new UsageError(`${what} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
};

/** Returns the lines of a file that are not blank, without spaces around them. @throws UsageError that begins with `what` */
export const linesOf = (path: string, what: string): readonly string[] =>
  textOf(path, what)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
