/** Files as the user named them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TextDecoder } from 'node:util';
import { UsageError } from './exit-codes.ts';

/** Returns a file's absolute path. npm runs scripts in the repository's root; `INIT_CWD` is the user's folder. */
export const fileAt = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);

/** Returns the text of a file, or of standard input for `-`. @throws UsageError that begins with `what` and the path */
export const textOf = (path: string, what: string): string => {
  try {
    const bytes = readFileSync(path === '-' ? 0 : fileAt(path));
    return decoderOf(bytes).decode(bytes);
  } catch (error) {
    throw unreadable(error, `${what} ${path}`);
  }
};

const reasons = new Map<unknown, string>([
  ['ENOENT', 'does not exist'],
  ['EISDIR', 'is a folder'],
]);

/** Returns the error that tells a user why a file cannot be read. */
export const unreadable = (error: unknown, file: string): UsageError => {
  if (error instanceof UsageError) return error;
  const { code, message }: NodeJS.ErrnoException = error instanceof Error ? error : new Error(String(error));
  return new UsageError(`${file} ${reasons.get(code) ?? `cannot be read: ${message}`}.`);
};

/**
 * Returns a decoder for a text with these first bytes: UTF-16 as PowerShell and Excel write it, else UTF-8.
 * It omits a byte order mark, and throws a TypeError for other encodings.
 */
export const decoderOf = ([first, second]: Uint8Array): TextDecoder => {
  const isBigEndian = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const isLittleEndian = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  return new TextDecoder(isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8', { fatal: true });
};
