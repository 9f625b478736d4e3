/** Bundles functions while you edit them: only their own code, in milliseconds. Packages are bundled once. */
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, formatMessages, type Metafile, type Plugin } from 'esbuild';
import { bundleOptions } from '../../cdk/bundle.ts';
import { BundleError } from '../../cdk/bundle-error.ts';
import { onlyHandler } from '../../cdk/bundle-plugins.ts';
import { buildConsole, isSourceOfConsole } from '../../cdk/console.ts';
import { buildDocumentation } from '../../cdk/documentation.ts';
import { addPage } from '../../cdk/pages.ts';
import { root } from '../../cdk/root.ts';
import { dependencies } from './dependencies.ts';

/** The pages that functions serve, and which files they are built from. */
const pages = [
  { group: 'openapi', build: buildDocumentation, isFrom: (file: string) => /^web\/(docs\/|token\.ts)/.test(file) },
  { group: 'console', build: buildConsole, isFrom: isSourceOfConsole },
] as const;

/** Returns the bundles below a folder, which is emptied. @param sources has the folder `functions` in it */
export const devBundles = (folder: string, sources = root) => {
  rmSync(folder, { recursive: true, force: true });
  const packages = dependencies(join(folder, 'dependencies'));
  const files = new Map<string, ReadonlySet<string>>();
  let builds = 0;

  /** Lets a bundle import packages from where `dependencies.ts` puts them. */
  const fromOutside: Plugin = {
    name: 'packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || path.startsWith('node:') ? undefined : { path: packages.urlOf(path), external: true },
      );
    },
  };

  return {
    /** Builds functions and returns the folder of each. @throws BundleError with the places that do not compile */
    async build(functions: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const version = String(++builds);
      const options = {
        ...bundleOptions(sources, []),
        entryPoints: functions.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/${version}/index` })),
        outdir: folder,
        minify: false,
        metafile: true,
        plugins: [onlyHandler, fromOutside],
      } satisfies BuildOptions;
      const { metafile } = await build(options).catch(fail);
      for (const name of functions) files.set(name, reachable(metafile, `functions/${name}.ts`));
      await packages.complete();
      for (const { group, build: buildPage } of pages)
        if (functions.some((name) => name.startsWith(`${group}/`)))
          addPage(await buildPage().catch(fail), group, folder, version);
      return new Map(functions.map((name) => [name, join(folder, name, version)]));
    },
    using(changed: readonly string[]): string[] {
      const groups = pages.filter((page) => changed.some(page.isFrom)).map(({ group }) => group);
      return [...files]
        .filter(
          ([name, used]) =>
            changed.some((file) => used.has(file)) || groups.some((group) => name.startsWith(`${group}/`)),
        )
        .map(([name]) => name);
    },
    drop(name: string, inUse: string, next: string): void {
      for (const version of readdirSync(join(folder, name)))
        if (version !== basename(inUse) && version !== basename(next))
          rmSync(join(folder, name, version), { recursive: true, force: true });
    },
  };
};

/** Returns the files of the repository that a program consists of, relative to the root. */
export const filesOf = async (...entryPoints: readonly string[]): Promise<ReadonlySet<string>> => {
  const options: BuildOptions = { absWorkingDir: root, entryPoints: [...entryPoints], outdir: 'none', write: false };
  const { metafile } = await build({
    ...options,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    metafile: true,
  });
  return new Set(Object.keys(metafile?.inputs ?? {}));
};

/** Follows the imports from a file; exports that a bundle does not use count too. */
const reachable = ({ inputs }: Metafile, entry: string): ReadonlySet<string> => {
  const found = new Set([entry]);
  for (const file of found)
    for (const { path, external } of inputs[file]?.imports ?? []) if (!external) found.add(path);
  return found;
};

const fail = async (error: unknown): Promise<never> => {
  const { errors } = error as BuildFailure;
  if (!Array.isArray(errors)) throw error;
  const texts = await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY ?? false });
  throw new BundleError(texts.join('').trim());
};
