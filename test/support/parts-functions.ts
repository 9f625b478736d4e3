/** The functions of the contract, compiled once for all test files; each file's handlers have their own modules. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { onlyHandler } from '../../infra/cdk/bundle-plugins.ts';
import { cached } from '../../infra/cdk/cache.ts';
import { pageFilesOf } from '../../infra/cdk/pages.ts';
import { root } from '../../infra/cdk/root.ts';
import { contract } from '../../shared/contract.ts';
import { clientLimit, clientModules, patient } from './patient-clients.ts';

/** Functions that serve pages read files beside their bundle, so they run from the bundles that a stage deploys. */
const names = contract.map((line): string => line.function).filter((name) => !(name in pageFilesOf));

/** All functions share the packages, which keep nothing of a stack. This one cannot be required. */
const { dependencies } = createRequire(import.meta.url)('../../package.json') as { readonly dependencies: object };
const packages = Object.keys(dependencies).filter((name) => name !== '@middy/core');

const patientClients: Plugin = {
  name: 'patient-clients',
  setup(compiler) {
    compiler.onLoad({ filter: clientModules }, ({ path }) => ({
      contents: patient(readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

const options = {
  absWorkingDir: root,
  entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: name })),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  external: packages,
  // For breakpoints.
  sourcemap: 'inline',
  sourcesContent: false,
  plugins: [onlyHandler, patientClients],
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Compiles the functions, or takes them from the cache; returns their folder. @throws Error if one does not compile */
export const compileFunctions = (): Promise<string> => {
  const sources = {
    folders: ['functions', 'shared'],
    files: ['docs/openapi.json', 'infra/cdk/bundle-plugins.ts'],
    key: JSON.stringify(options) + clientLimit,
  };
  return cached('functions', sources, (outdir) => build({ ...options, outdir }));
};

type Load = (load: NodeJS.Require, module: { exports: unknown }, exports: unknown) => void;

/** By file. To run a script again takes a fraction of the time that importing its modules again would take. */
const scripts = new Map<string, Script>();
const load = createRequire(import.meta.url);

/** Returns what a function's file exports, from modules that only it uses. @param folder with the compiled functions */
export const loadFunction = (folder: string, name: string): unknown => {
  const filename = join(folder, `${name}.js`);
  const code = () => `(function (require, module, exports) {${readFileSync(filename, 'utf8')}\n})`;
  const script =
    scripts.get(filename) ??
    new Script(code(), { filename, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  scripts.set(filename, script);
  const module = { exports: {} };
  (script.runInThisContext() as Load)(load, module, module.exports);
  return module.exports;
};
