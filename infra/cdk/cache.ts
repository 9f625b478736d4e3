/** Caches build results under a hash of their sources. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './root.ts';

const results = join(root, 'node_modules', '.cache', 'masthead');

/** How long a result is kept, in ms. A local stack runs from the cache, and may have been started yesterday. */
const keptFor = 2 * 24 * 60 * 60 * 1000;

interface Sources {
  readonly folders: readonly string[];
  readonly files?: readonly string[];
  readonly key?: string;
}

/** Returns the folder of a result once it is made. @param name of the folder below `node_modules/.cache/masthead` */
export const placeOf = (name: string, sources: Sources): string => join(results, name, hashOf(sources));

/** Keeps the result that contains a path below the cache for two more days. */
export const keep = (path: string): void => {
  const [name = '', hash = ''] = relative(results, path).split(sep);
  const now = new Date();
  utimesSync(join(results, name, hash), now, now);
};

/**
 * Returns the folder with the result of `make` for these sources, and runs `make` if it does not exist.
 * @param make writes the result into the folder that it is passed
 */
export const cached = async (
  name: string,
  sources: Sources,
  make: (folder: string) => Promise<unknown>,
): Promise<string> => {
  const folder = placeOf(name, sources);
  if (existsSync(folder)) {
    keep(folder);
    return folder;
  }
  mkdirSync(join(results, name), { recursive: true });
  dropOld(join(results, name));
  // Written to a temporary name and then renamed, so that other processes never see half of it.
  const unfinished = `${folder}.${process.pid}.${Date.now()}`;
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have finished the same content first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
};

const hashOf = ({ folders, files: single = [], key = '' }: Sources): string => {
  const hash = createHash('sha256').update(`${process.version}\0${key}`);
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  const others = [...single, 'package-lock.json'].filter((file) => existsSync(join(root, file)));
  for (const file of [...files.sort(), ...others]) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
};

const dropOld = (cache: string) => {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    // Another process may be removing it too.
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > keptFor) rmSync(folder, { recursive: true, force: true });
  }
};
