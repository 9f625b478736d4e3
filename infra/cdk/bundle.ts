/** Bundles the functions of the contract with esbuild, in two groups: what a local stack needs first, and the rest. */
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { BundleError } from './bundle-error.ts';
import {
  compressedDocument,
  credentialsOfEnvironment,
  mailsWithoutAttachments,
  onlyHandler,
  requireBuiltinModules,
} from './bundle-plugins.ts';
import type { Bundles } from './bundles.ts';
import { cached, placeOf } from './cache.ts';
import { buildConsole } from './console.ts';
import { buildDocumentation } from './documentation.ts';
import { addPage, pageSources } from './pages.ts';
import { root } from './root.ts';

/** CommonJS dependencies (such as undici) and `bundle-plugins.ts` call `require`, which ES modules do not have. */
export const requireForCommonJs =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Other inputs that decide how a function is bundled. As JSON, a plug-in in the options is only its name. */
export const bundlerFiles = ['infra/cdk/bundle-plugins.ts', 'package.json'];

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
    plugins: [
      onlyHandler,
      compressedDocument,
      requireBuiltinModules,
      credentialsOfEnvironment,
      mailsWithoutAttachments,
    ],
    // undici can use two HTTP parsers; this keeps one of them out of the bundle: 166 KB less to load.
    define: { esbuildDetection: 'true' },
    // Node.js reads the map only with `--enable-source-maps`. Deployed stages have none.
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'silent',
  }) as const satisfies BuildOptions;

/** What a local stack needs to be ready, and for a first event. Bundling the others takes four times as long. */
const neededFirst: ReadonlySet<string> = new Set([
  'setup/seed',
  'webhooks/create',
  'events/publish',
  'deliveries/fan-out',
  'deliveries/deliver',
]);

/** Bundles the functions of the contract, unless cached. @throws BundleError if a function does not compile */
export const bundleFunctions = async (lines: readonly ContractLine[] = contract): Promise<Bundles> => {
  const groups = groupsOf(lines);
  return { folderOf: folderIn(groups, await Promise.all(groups.map(bundleGroup))), areComplete: true };
};

/** Returns where the bundles will be, before they exist. */
export const placesOfBundles = (): Bundles => {
  const groups = groupsOf(contract);
  return {
    folderOf: folderIn(
      groups,
      groups.map(({ sources }) => placeOf('bundles', sources)),
    ),
    areComplete: false,
  };
};

/**
 * Bundles only what a local stack needs first. The folders of the other functions appear with `bundleFunctions`.
 * @throws BundleError if one of the functions does not compile
 */
export const bundleFirst = async (): Promise<void> => {
  const [first] = groupsOf(contract);
  await bundleGroup(first);
};

interface Group {
  readonly functions: readonly string[];
  readonly options: ReturnType<typeof bundleOptions>;
  readonly sources: Parameters<typeof placeOf>[1];
}

const groupsOf = (lines: readonly ContractLine[]): readonly [Group, Group] => {
  const names = lines.map((line): string => line.function);
  return [
    groupOf(names.filter((name) => neededFirst.has(name))),
    groupOf(names.filter((name) => !neededFirst.has(name))),
  ];
};

const groupOf = (functions: readonly string[]): Group => {
  const options = bundleOptions(root, functions);
  // The functions of `openapi` and `console` serve the document and the pages.
  const sources = {
    folders: ['functions', 'shared', 'web'],
    files: [...bundlerFiles, ...pageSources, 'docs/openapi.json', 'docs/receiving.md'],
    key: JSON.stringify(options),
  };
  return { functions, options, sources };
};

const bundleGroup = ({ functions, options, sources }: Group): Promise<string> =>
  cached('bundles', sources, async (outdir) => {
    const isServed = (page: string) => functions.some((name) => name.startsWith(`${page}/`));
    const buildPage = async (page: 'openapi' | 'console', make: () => Promise<string>) => {
      if (isServed(page)) addPage(await make(), page, outdir);
    };
    try {
      await build({ ...options, outdir });
      await Promise.all([buildPage('openapi', buildDocumentation), buildPage('console', buildConsole)]);
    } catch (error) {
      throw new BundleError(error instanceof Error ? error.message : String(error), { cause: error });
    }
  });

const folderIn =
  (groups: readonly Group[], places: readonly string[]): Bundles['folderOf'] =>
  (functionName) => {
    const place = places[groups.findIndex(({ functions }) => functions.includes(functionName))];
    if (place === undefined) {
      throw new Error(`The function ${functionName} has no bundle: add it to shared/contract.ts.`);
    }
    return join(place, functionName);
  };

if (import.meta.main) {
  try {
    if (process.env.BUNDLES === 'first') await bundleFirst();
    else await bundleFunctions();
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
