/** Writes a module without its types for threads, because stripping them would cost 25 ms in each thread. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { cache } from './compile-cache.ts';

/** Writes a module that imports only Node's modules to the cache; returns the file. */
export const withoutTypes = (folder: string, name: string): string => {
  const source = stripTypeScriptTypes(readFileSync(join(folder, `${name}.ts`), 'utf8'));
  const file = join(cache, `${name}-${createHash('sha256').update(source).digest('hex').slice(0, 12)}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  // Renamed, because another process may write it, too.
  writeFileSync(`${file}.${process.pid}`, source);
  renameSync(`${file}.${process.pid}`, file);
  return file;
};
