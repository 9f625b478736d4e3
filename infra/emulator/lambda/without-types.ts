/** Writes modules without their types for threads, because stripping them would cost 25 ms in each thread. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache } from './compile-cache.ts';

/** Writes a module, and the modules of the same folder that it imports, to the cache; returns the file. */
export const withoutTypes = (folder: string, name: string): string => {
  const source = stripTypeScriptTypes(readFileSync(join(folder, `${name}.ts`), 'utf8')).replace(
    // Quoted as JSON, because the URL of a folder keeps its apostrophes.
    /(?<=from )'\.\/([\w-]+)\.ts'/g,
    (_, imported: string) => JSON.stringify(pathToFileURL(withoutTypes(folder, imported)).href),
  );
  const file = join(cache, `${name}-${createHash('sha256').update(source).digest('hex').slice(0, 12)}.mjs`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  // Renamed, because another process may write it, too.
  writeFileSync(`${file}.${process.pid}`, source);
  renameSync(`${file}.${process.pid}`, file);
  return file;
};
