/** The SQLite files of the embedded parts: whether one is damaged, and how its write-ahead log ends with the part. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PartMissingError } from './part.ts';

/** Returns the error of a file of earlier runs that cannot be used. */
export const damaged = (file: string, reason: string): PartMissingError =>
  new PartMissingError(
    `${file} is damaged (${reason}). Restore it, or start with --fresh, which deletes the data of earlier runs.`,
  );

/** Checks a file that may be absent. @throws PartMissingError if the file or its write-ahead log is damaged */
export const checkFile = (file: string): void => {
  if (!existsSync(file)) return;
  const log = `${file}-wal`;
  // SQLite ignores a log with any other beginning, and with it all data that is not in the file yet.
  if (!['', '377f0682', '377f0683'].includes(beginningOf(log))) throw damaged(log, 'it is no write-ahead log');
  let found: unknown;
  try {
    const database = new DatabaseSync(file);
    try {
      found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
    } finally {
      database.close();
    }
  } catch (error) {
    found = error instanceof Error ? error.message : error;
  }
  if (found !== 'ok') throw damaged(file, String(found));
};

/** Returns the first four bytes of a file as hex; empty for an absent or empty file. */
const beginningOf = (file: string): string => {
  if (!existsSync(file)) return '';
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes)).toString('hex');
  } finally {
    closeSync(descriptor);
  }
};

/** Moves what the write-ahead log contains into the file, which nobody uses, and removes the log. */
export const checkpoint = (file: string): void => {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
};
