/** `npm run dev`: runs the stage `local`, and replaces each function whose code changes, without a restart. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import { BundleError } from '../../cdk/bundle.ts';
import { root } from '../../cdk/cache.ts';
import { run } from '../command.ts';
import { findHome } from '../home.ts';
import type { LocalStack } from '../local-stack.ts';
import { runStack, stackCommand } from '../run-stack.ts';
import { devBundles, filesOf } from './bundles.ts';
import { watchFiles } from './watch.ts';

const unchanged = 'The version before stays in use.';

/** Keeps the functions of a stack up to date with their source. */
const follow = async (stack: LocalStack, json: boolean) => {
  const say = (type: 'replaced' | 'failed' | 'restart', text: string) =>
    console.log(json ? JSON.stringify({ type, time: new Date().toISOString(), text }) : text);
  const bundles = devBundles(bundleFolder());
  /** Functions that did not compile, so that the files they need are not known. */
  const broken = new Set<string>();

  /** Resolves when the functions that have environments run their new code; returns those that do not load. @throws BundleError */
  const replace = async (names: readonly string[]): Promise<readonly string[]> => {
    if (names.length === 0) return [];
    const built = await bundles.build(names);
    const loaded = [...built].map(([name, folder]) => {
      const pool = stack.poolOf(name);
      bundles.drop(name, pool.folder(), folder);
      return new Promise<string[]>((resolve) => {
        pool.update(folder, (error) => {
          if (error !== undefined)
            say('failed', `${name} does not load: ${error.name}: ${error.message}. ${unchanged}`);
          resolve(error === undefined ? [] : [name]);
        });
        if (!pool.isWarm()) resolve([]);
      });
    });
    return (await Promise.all(loaded)).flat();
  };

  const rebuild = async (names: readonly string[], changed: string): Promise<void> => {
    const began = performance.now();
    // What was used is likely to be used next.
    const { used = [], unused = [] } = Object.groupBy(names, (name) =>
      stack.poolOf(name).isWarm() ? 'used' : 'unused',
    );
    try {
      const notLoaded = [...(await replace(used)), ...(await replace(unused))];
      broken.clear();
      const replaced = names.filter((name) => !notLoaded.includes(name));
      const listed = replaced.length <= 3 ? replaced.join(', ') : `${replaced.length} functions`;
      if (replaced.length > 0)
        say('replaced', `${changed} changed: ${listed} replaced in ${(performance.now() - began).toFixed(0)} ms`);
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      for (const name of names) broken.add(name);
      say('failed', `\n${error.message}\n\n${unchanged}`);
    }
  };

  const [templates, program] = await Promise.all([
    filesOf('infra/cdk/app.ts'),
    filesOf('infra/commands/dev/dev.ts', 'infra/emulator/lambda/worker.ts'),
    replace(contract.map((line: ContractLine) => line.function)),
  ]);
  const needsRestart = (file: string) => templates.has(file) || (file.startsWith('infra/') && program.has(file));

  return watchFiles(root, ['functions', 'shared', 'web', 'infra', 'docs'], async (files) => {
    const names = new Set([...bundles.using(files), ...broken]);
    if (names.size > 0) await rebuild([...names], files.join(', '));
    for (const file of files.filter(needsRestart))
      say('restart', `${file} changed: the templates and the local stack read it at the start. Restart npm run dev.`);
  });
};

/** Its own for each home, in which one stack runs at a time. In the repository, so that `node_modules` is found. */
const bundleFolder = (): string => {
  const name = createHash('sha256').update(findHome().folder).digest('hex').slice(0, 12);
  return join(root, 'node_modules/.cache/masthead/dev', name);
};

await run(
  stackCommand('npm run dev --')
    .description(
      'Runs Masthead on this machine until Ctrl-C, as npm start does, and replaces each function within a second after its code was saved. Code that does not compile or load is reported, and the version before stays in use.',
    )
    .action((options) => runStack(options, (stack) => follow(stack, options.json))),
);
