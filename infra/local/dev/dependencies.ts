/** The functions' packages, each bundled once as a module, which their bundles import while you edit them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '../../cdk/bundle.ts';
import { root } from '../../cdk/root.ts';

/** Bundles packages into a folder of the repository: CommonJS modules are imported from its `node_modules`. */
export const dependencies = (folder: string) => {
  const wanted = new Set<string>();
  const built = new Set<string>();
  const fileOf = (name: string) => join(folder, `${name}.mjs`);
  return {
    /** Returns the URL of a package's module, which exists after `complete`. */
    urlOf(name: string): string {
      wanted.add(name);
      return pathToFileURL(fileOf(name)).href;
    },
    /** Bundles the packages that are new since the last call. Rejects if one is not installed. */
    async complete(): Promise<void> {
      if (wanted.size === built.size) return;
      const names = [...wanted];
      const options = {
        ...bundleOptions(root, []),
        // Without the path that the packages' names would become below the root.
        entryPoints: names.map((name) => ({ in: name, out: name })),
        outdir: folder,
        splitting: true,
        sourcemap: false,
        metafile: true,
      } satisfies BuildOptions;
      const { metafile } = await build(options);
      for (const name of names) {
        const [, output] = Object.entries(metafile.outputs).find(([file]) => join(root, file) === fileOf(name)) ?? [];
        // esbuild cannot name the exports of a module of CommonJS, but Node can.
        if (metafile.inputs[output?.entryPoint ?? '']?.format === 'cjs')
          writeFileSync(fileOf(name), `export * from '${name}';\nexport { default } from '${name}';\n`);
        built.add(name);
      }
    },
  };
};
