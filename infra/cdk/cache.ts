/** Keeps what is made of sources under a hash of them, so that it is made once for the same sources. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** In ms. A local stack runs from the cache, and one that was started yesterday may still be running. */
const keptFor = 2 * 24 * 60 * 60 * 1000;

interface Sources {
  /** Folders below the root; the emulator runs what is made and has no part in making it. */
  readonly folders: readonly string[];
  /** Files below the root, where they exist. */
  readonly files?: readonly string[];
  /** What else it depends on. */
  readonly key?: string;
}

/**
 * Gives the folder with what `make` made of these sources, and makes it where nobody has.
 * @param name of the kind of thing, which is the folder below `node_modules/.cache/masthead`
 * @param make fills the empty folder that it is given
 */
export async function cached(
  name: string,
  sources: Sources,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'masthead', name);
  const folder = join(cache, hashOf(sources));
  if (existsSync(folder)) {
    const now = new Date();
    utimesSync(folder, now, now);
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  dropOld(cache);
  // Made beside its place and then renamed: whoever finds the folder finds it whole.
  const unfinished = `${folder}.${process.pid}.${Date.now()}`;
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been quicker with the same content.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function hashOf({ folders, files: single = [], key = '' }: Sources): string {
  const hash = createHash('sha256').update(`${process.version}\0${key}`);
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((file) => !file.startsWith(`infra${sep}local${sep}`)),
  );
  const others = [...single, 'package-lock.json'].filter((file) => existsSync(join(root, file)));
  for (const file of [...files.sort(), ...others]) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

function dropOld(cache: string) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    // Another process may be dropping it too.
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > keptFor) rmSync(folder, { recursive: true, force: true });
  }
}
