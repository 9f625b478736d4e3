/**
 * The unchanged functions, each bundled into a script that can be loaded any number of times, each time with its own
 * memory. Most packages, Node's modules and the sender stay outside, so that the simulation can replace some of them.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { contract, type FunctionName } from '../../shared/contract.ts';
import { tableCommands } from './dynamodb/commands.ts';

const bundleOf = (name: string, text: string, outside: ReadonlyMap<string, object>): Bundle => {
  const script = new Script(`(function (outside, ${globalNames.join(', ')}) { ${text}\nreturn exported; })`, {
    filename: `functions/${name}.js`,
  });
  return {
    load(modules, globals) {
      const evaluate = script.runInThisContext() as (...values: unknown[]) => Loaded;
      return evaluate(
        (module: string) => modules[module] ?? outside.get(module),
        ...globalNames.map((global) => globals[global]),
      );
    },
  };
};

const bundleThese = async (names: readonly string[], mutate?: Mutate): Promise<Built> => {
  const outside = new Map<string, object>();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `functions/${name}.ts`, out: name })),
    bundle: true,
    write: false,
    metafile: true,
    outdir: '/simulated',
    platform: 'node',
    target: 'node24',
    format: 'iife',
    globalName: 'exported',
    logLevel: 'silent',
    plugins: [outsideModules(outside), ...(mutate === undefined ? [] : [mutated(mutate)])],
  });
  const nameOf = (path: string) => /simulated\/(.*)\.js$/.exec(path)?.[1] as FunctionName;
  return {
    outside,
    functions: new Map(outputFiles.map(({ path, text }) => [nameOf(path), bundleOf(nameOf(path), text, outside)])),
    sources: new Map(
      Object.entries(metafile.outputs).map(([path, { inputs }]) => [nameOf(path), new Set(Object.keys(inputs))]),
    ),
  };
};

const bundleAll = async (): Promise<Built> => {
  const built = await bundleThese(contract.map((line) => line.function).filter((name) => !isLeftOut(name)));
  if (!built.outside.has(senderModule))
    throw new Error('No function imports a sender: the simulation has nothing to replace.');
  return built;
};

/** Bundles again only the functions that contain the changed source. */
const bundleMutated = async (mutate: Mutate): Promise<Bundles> => {
  const { functions, sources } = await all();
  const changed = [...functions.keys()].filter((name) => sources.get(name)?.has(mutate.path));
  return new Map([...functions, ...(await bundleThese(changed, mutate)).functions]);
};

interface Loaded {
  readonly handler: (event: unknown, context: unknown) => Promise<unknown>;
}

/** Modules by name, such as `node:crypto`, for the code of one environment. */
export type Modules = Readonly<Record<string, object>>;

export interface Bundle {
  /** Evaluates the function's modules; `globals` replace those of Node. */
  load(modules: Modules, globals: Readonly<Record<string, unknown>>): Loaded;
}

export interface Mutate {
  readonly path: string;
  readonly apply: (text: string) => string;
}

const root = join(import.meta.dirname, '../..');

export const senderModule = 'masthead:sender';

/** Functions outside the simulation: they bundle documents or pages. */
const isLeftOut = (name: string): boolean => /^(openapi|fallback)\//.test(name);

const globalNames = [
  'Date',
  'Math',
  'performance',
  'process',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'setImmediate',
  'fetch',
] as const;

/** The members of modules that the simulation provides; a function that imports another member is not bundled. */
const replaced: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries({
    [senderModule]: ['createSender'],
    '@aws-sdk/client-dynamodb': ['DynamoDBClient'],
    '@aws-sdk/lib-dynamodb': ['DynamoDBDocumentClient', ...tableCommands],
    '@aws-sdk/client-sqs': [
      'SQSClient',
      'SendMessageBatchCommand',
      'GetQueueAttributesCommand',
      'ChangeMessageVisibilityBatchCommand',
    ],
    '@aws-sdk/client-ses': ['SESClient', 'SendRawEmailCommand'],
    // It writes a mail in turns of the event loop, which the simulated world does not wait for.
    'nodemailer/lib/mime-node': ['default'],
  }).map(([module, members]) => [module, Object.fromEntries(members.map((member) => [member, undefined]))]),
);

type Bundles = ReadonlyMap<FunctionName, Bundle>;

interface Built {
  readonly functions: Bundles;
  /** The sources of each function, by their paths below the root. */
  readonly sources: ReadonlyMap<FunctionName, ReadonlySet<string>>;
  readonly outside: ReadonlyMap<string, object>;
}

let bundled: Promise<Built> | undefined;
const all = (): Promise<Built> => {
  bundled ??= bundleAll();
  return bundled;
};
const ofMutations = new WeakMap<Mutate, Promise<Bundles>>();

/** Bundles all functions, once per process and mutation. */
export const bundles = async (mutate?: Mutate): Promise<Bundles> => {
  if (mutate === undefined) return (await all()).functions;
  const known = ofMutations.get(mutate) ?? bundleMutated(mutate);
  ofMutations.set(mutate, known);
  return known;
};

/** Their timers must be the simulated world's: others would fire by this machine's clock, and runs could not repeat. */
const withTimers = /^@middy\//;

/** Leaves other packages and Node's modules outside, each as a module that reads its members from there. */
const outsideModules = (outside: Map<string, object>): Plugin => ({
  name: 'outside',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || withTimers.test(path) ? undefined : { path, namespace: 'outside' },
    );
    onResolve({ filter: /\/sender\/send\.ts$/ }, () => ({ path: senderModule, namespace: 'outside' }));
    onLoad({ filter: /.*/, namespace: 'outside' }, async ({ path }) => {
      const module: object = replaced[path] ?? (await import(path));
      outside.set(path, module);
      const members = Object.keys(module);
      const names = members.map(JSON.stringify as (member: string) => string);
      return {
        contents: [
          `const module = outside(${JSON.stringify(path)});`,
          ...names.map((member, position) => `const m${position} = module[${member}];`),
          `export { ${names.map((member, position) => `m${position} as ${member}`).join(', ')} };`,
        ].join('\n'),
      };
    });
  },
});

const mutated = ({ path: mutatedPath, apply }: Mutate): Plugin => ({
  name: 'mutated',
  setup({ onLoad }) {
    onLoad({ filter: /\/(functions|shared)\/.*\.ts$/ }, async ({ path }) =>
      path === join(root, mutatedPath) ? { contents: apply(await readFile(path, 'utf8')), loader: 'ts' } : undefined,
    );
  },
});
