/** Bundles every function of the contract with one esbuild call. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { requireBuiltinModules } from './builtin-modules.ts';
import { cached, root } from './cache.ts';
import { buildConsole, printSizes } from './console.ts';
import { credentialsOfEnvironment } from './credentials.ts';
import { buildDocumentation } from './documentation.ts';
import { addPage } from './pages.ts';

/** Dependencies in CommonJS (undici among them) and `builtin-modules.ts` call `require`, which ES modules do not have. */
const requireForCommonJs =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The bundle of each function: a folder with `index.mjs`, which exports `handler`, and the files that the function serves. */
export interface Bundles {
  /** @throws Error if the contract has no such function */
  folderOf(functionName: string): string;
}

/** A function does not compile; the message names the place. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}

/** What else decides how a function is bundled: of a plug-in, the options as JSON have only the name. */
export const bundlerFiles = ['infra/cdk/builtin-modules.ts', 'infra/cdk/credentials.ts'];

/** The options with which functions are bundled; `folder` has the folder `functions` in it. */
export const bundleOptions = (folder: string, functions: readonly string[]) =>
  ({
    absWorkingDir: folder,
    entryPoints: functions.map((name) => ({ in: `functions/${name}.ts`, out: `${name}/index` })),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: requireForCommonJs },
    plugins: [requireBuiltinModules, credentialsOfEnvironment],
    // undici can use two HTTP parsers; this keeps one of them out of the bundle: 166 KB less to load.
    define: { esbuildDetection: 'true' },
    // A map beside each bundle, without the sources. Node.js reads it with `--enable-source-maps` only; deployed stages have none.
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  }) as const satisfies BuildOptions;

/** Identifies the code of a bundle, so that a stack in the log is explained with the map of the same code. */
export const bundleHash = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'index.mjs')))
    .digest('hex')
    .slice(0, 12);

/**
 * Bundles the functions of the contract, or returns them from the cache. Assets are copied into the cloud assembly, so nothing runs
 * from the cache.
 * @throws BundleError if a function does not compile
 */
export const bundleFunctions = async (lines: readonly ContractLine[] = contract): Promise<Bundles> => {
  const options = bundleOptions(
    root,
    lines.map((line) => line.function),
  );
  const [documentation, consolePage] = await Promise.all([buildDocumentation(), buildConsole()]);
  // `functions/openapi` bundles the document that it serves.
  const sources = {
    folders: ['functions', 'shared'],
    files: ['docs/openapi.json', ...bundlerFiles],
    key: JSON.stringify([options, basename(documentation), basename(consolePage)]),
  };
  const folder = await cached('bundles', sources, async (outdir) => {
    try {
      await build({ ...options, outdir });
      addPage(documentation, 'openapi', outdir);
      addPage(consolePage, 'console', outdir);
    } catch (error) {
      throw new BundleError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  });
  return {
    folderOf(functionName) {
      const bundle = join(folder, functionName);
      if (!existsSync(join(bundle, 'index.mjs'))) {
        throw new Error(`The function ${functionName} has no bundle: add it to shared/contract.ts.`);
      }
      return bundle;
    },
  };
};

if (import.meta.main) {
  await bundleFunctions();
  printSizes(await buildConsole());
}
