/**
 * `npm --prefix lab run package`: makes the package in `dist/`: construct and `ops`, types, bundles and docs.
 * Its code is JavaScript, because Node.js does not strip types below `node_modules`.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import * as v from 'valibot';
import { contract } from '../../shared/contract.ts';
import { bundleFunctions, bundleOptions, requireForCommonJs } from '../cdk/bundle.ts';
import { licencesOf } from '../cdk/pages.ts';
import { root } from '../cdk/root.ts';
import { command, run } from '../command-line/command.ts';

const dist = join(root, 'dist');
const types = './lib/types/infra/cdk/masthead.d.ts';

const versions = v.record(v.string(), v.string());
const manifestSchema = v.looseObject({
  name: v.string(),
  version: v.string(),
  description: v.string(),
  license: v.string(),
  dependencies: versions,
  devDependencies: versions,
});

/** Returns the package's manifest. Its code contains its dependencies, except the CDK and valibot (for the types). */
const manifestOf = ({ name, version, description, license, ...all }: v.InferOutput<typeof manifestSchema>) => ({
  name,
  version,
  description,
  license,
  type: 'module',
  engines: { node: '>=22.18' },
  bin: { ops: 'lib/js/ops.js' },
  main: './lib/js/masthead.js',
  types,
  exports: { '.': { types, default: './lib/js/masthead.js' }, './events': { types: './docs/events.d.ts' } },
  dependencies: { valibot: all.dependencies.valibot },
  peerDependencies: Object.fromEntries(
    ['aws-cdk-lib', 'constructs'].map((peer) => [peer, `^${all.devDependencies[peer]}`]),
  ),
});

/** The repository's stages are examples in a file of its own, and its commands are npm scripts. */
const forUsers: Plugin = {
  name: 'for users of the package',
  setup({ onLoad }) {
    onLoad({ filter: /\/infra\/cdk\/stages\.ts$/ }, () => ({ contents: 'export const stages = {};' }));
    onLoad({ filter: /\/(infra|shared)\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replaceAll(/npm run (?:-s )?(ops|cdk)(?: --)?(?=[ '`])/g, 'npx $1')
        .replaceAll('infra/cdk/stages.ts', 'your app'),
      loader: 'ts',
    }));
  },
};

const compile = (name: string, entry: string, external: readonly string[], banner = '') =>
  build({
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outdir: join(dist, 'lib/js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: banner },
    external: [...external],
    plugins: [forUsers],
    metafile: true,
  });

const runProgram = (program: string, ...args: readonly string[]): string => {
  const { status, stdout } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}`);
  return stdout.trim();
};

/** Makes the package. @returns the path of its tarball in the folder */
const makePackage = async (folder: string): Promise<string> => {
  rmSync(dist, { recursive: true, force: true });
  const names = contract.map((line) => line.function);
  const builds = [
    compile('masthead', 'infra/cdk/masthead.ts', ['aws-cdk-lib', 'constructs', 'valibot']),
    compile('ops', 'infra/ops/ops.ts', ['../../cdk/bundle.ts'], `#!/usr/bin/env node\n${requireForCommonJs}`),
    // For the names of the packages only.
    build({ ...bundleOptions(root, names), outdir: dist, write: false, metafile: true }),
  ];
  const [bundles, ...built] = await Promise.all([bundleFunctions(), ...builds]);
  for (const name of names)
    cpSync(bundles.folderOf(name), join(dist, 'bundles', name), {
      recursive: true,
      filter: (file) => !file.endsWith('.map'),
    });
  const inputs = Object.assign({}, ...built.map(({ metafile }) => metafile?.inputs));
  writeFileSync(join(dist, 'licences.txt'), licencesOf({ inputs, outputs: {} }));
  runProgram(join(root, 'node_modules/.bin/tsc'), '-p', join(import.meta.dirname, 'package.tsconfig.json'));
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'docs'])
    cpSync(join(root, file), join(dist, file), { recursive: true, filter: (path) => !path.endsWith('/images') });
  const manifest = v.parse(manifestSchema, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifestOf(manifest), null, 2)}\n`);
  const tarball = runProgram('npm', 'pack', dist, '--pack-destination', folder, '--loglevel', 'error');
  return join(folder, tarball.split('\n').at(-1) ?? '');
};

await run(
  command('npm --prefix lab run package --')
    .description('Makes the package that teams install, and prints the path of its tarball.')
    .option('--to <folder>', 'Where to put the tarball.', join(root, 'dist'))
    .action(async ({ to }) => console.log(await makePackage(to))),
);
