/** Keeps the functions of a running stack up to date with their source. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import { root } from '../../cdk/cache.ts';
import { findHome } from '../home.ts';
import type { LocalStack } from '../local-stack.ts';
import { devBundles, filesOf } from './bundles.ts';
import { startReplacing } from './replacer.ts';
import { watchFiles } from './watch.ts';

/** Bundles all functions, and replaces each whose code changes until `stop`. `json`: whether it reports in lines of JSON. */
export const follow = async (stack: LocalStack, json: boolean) => {
  const say = (type: 'replaced' | 'failed' | 'restart', text: string) =>
    console.log(json ? JSON.stringify({ type, time: new Date().toISOString(), text }) : text);
  const bundles = devBundles(bundleFolder());
  const replacing = startReplacing({ bundles, poolOf: stack.poolOf, say });
  const [templates, program, built] = await Promise.all([
    filesOf('infra/cdk/app.ts'),
    filesOf('infra/local/dev/dev.ts', 'infra/emulator/lambda/worker.ts'),
    bundles.build(contract.map((line: ContractLine) => line.function)),
  ]);
  for (const [name, folder] of built) replacing.use(name, folder);
  const needsRestart = (file: string) => templates.has(file) || (file.startsWith('infra/') && program.has(file));

  const watching = watchFiles(root, ['functions', 'shared', 'web', 'infra', 'docs'], (files) => {
    replacing.changed(files);
    for (const file of files.filter(needsRestart))
      say('restart', `${file} changed: the templates and the local stack read it at the start. Restart npm run dev.`);
  });
  return { stop: async () => watching.stop() };
};

/** Its own for each home, in which one stack runs at a time. In the repository, so that `node_modules` is found. */
const bundleFolder = (): string => {
  const name = createHash('sha256').update(findHome().folder).digest('hex').slice(0, 12);
  return join(root, 'node_modules/.cache/masthead/dev', name);
};
