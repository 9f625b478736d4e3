/** The packages that are installed, and which of them each direct dependency needs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const root = join(import.meta.dirname, '../..');

const names = v.optional(v.record(v.string(), v.string()), {});
const packageSchema = v.object({
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
const lockSchema = v.object({ packages: v.record(v.string(), packageSchema) });

/** The packages of package-lock.json by their path, such as `node_modules/ajv`; the root has the path ``. */
export type Tree = Readonly<Record<string, v.InferOutput<typeof packageSchema>>>;

/** Returns the packages of the lockfile that are installed on this platform. */
export const installedTree = (): Tree => {
  const { packages } = v.parse(lockSchema, JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.fromEntries(Object.entries(packages).filter(([path]) => existsSync(join(root, path, 'package.json'))));
};

/** What a package needs; peers that are direct dependencies are counted there. */
const neededBy = (tree: Tree, path: string): string[] => {
  const direct = neededOf(tree, '');
  const { peerDependencies = {} } = tree[path] ?? {};
  return Object.keys(neededOf(tree, path)).filter((name) => !(name in peerDependencies && name in direct));
};

/** Returns the names of the direct dependencies, sorted. */
export const directDependencies = (tree: Tree): string[] => Object.keys(neededOf(tree, '')).sort();

const neededOf = (tree: Tree, path: string): Readonly<Record<string, string>> => {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = tree[path] ?? {};
  return { ...dependencies, ...optionalDependencies, ...peerDependencies, ...(path === '' && devDependencies) };
};

/** Returns the name of a row of the table: some packages have one reason. */
export const family = (name: string): string =>
  name.startsWith('@aws-sdk/client-')
    ? '@aws-sdk/client-*'
    : name.startsWith('@stryker-mutator/')
      ? '@stryker-mutator/*'
      : name.replace(/^node-(?:linux|win)-(?:x64|arm64)$/, 'node-<platform>');

/** Returns the paths of the packages that the root needs, without the direct dependencies `without`. */
export const reached = (tree: Tree, without: readonly string[] = []): ReadonlySet<string> =>
  closure(
    tree,
    Object.keys(neededOf(tree, '')).filter((name) => !without.includes(name)),
  );

/** Returns the paths of the packages that only these direct dependencies need: they would go with them. */
export const broughtBy = (tree: Tree, direct: readonly string[]): string[] => {
  const others = reached(tree, direct);
  return [...closure(tree, direct)].filter((path) => !others.has(path));
};

const closure = (tree: Tree, direct: readonly string[]): ReadonlySet<string> => {
  const found = new Set<string>();
  const open = direct.map((name) => `node_modules/${name}`).filter((path) => path in tree);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const name of neededBy(tree, path)) {
      const place = placeOf(tree, path, name);
      if (place !== undefined) open.push(place);
    }
  }
  return found;
};

/** Returns where Node finds a package from another: in its own folder, or in one of those above. */
const placeOf = (tree: Tree, from: string, name: string): string | undefined => {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in tree) return place;
    if (folder === '') return undefined;
  }
};
