/** Keeps the functions of a running stack up to date with their source. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type ContractLine, contract } from '../../../shared/contract.ts';
import { root } from '../../cdk/root.ts';
import { findHome } from '../home.ts';
import type { LocalStack } from '../local-stack.ts';
import { localAssembly, SynthesisError } from '../template.ts';
import { devBundles, filesOf } from './bundles.ts';
import { startReplacing } from './replacer.ts';
import { restartCode } from './restart-code.ts';
import { watchFiles } from './watch.ts';

/**
 * Bundles all functions, and replaces each whose code changes until `stop`. If the stack itself has changed, ends it
 * with `restartCode`. @param end stops the stack and ends the process @param json whether it reports in lines of JSON
 */
export const follow = async (stack: LocalStack, end: (code: number) => Promise<void>, json: boolean) => {
  const say = (type: 'replaced' | 'failed' | 'restart', text: string) =>
    console.log(json ? JSON.stringify({ type, time: new Date().toISOString(), text }) : text);
  const bundles = devBundles(bundleFolder());
  const replacing = startReplacing({ bundles, poolOf: stack.poolOf, say });
  const [templates, program, built] = await Promise.all([
    filesOf('infra/cdk/app.ts'),
    filesOf('infra/local/dev/stack.ts', 'infra/emulator/lambda/worker.ts'),
    bundles.build(contract.map((line: ContractLine) => line.function)),
  ]);
  for (const [name, folder] of built) replacing.use(name, folder);
  const isRead = (file: string) => templates.has(file) || (file.startsWith('infra/') && program.has(file));

  const restart = async (file: string): Promise<void> => {
    try {
      // Also shows whether the templates can be built, while the stack still answers.
      await localAssembly();
      say('restart', `${file} changed: the stack starts again.`);
      await end(restartCode);
    } catch (error) {
      if (!(error instanceof SynthesisError)) throw error;
      say('failed', `\n${error.message}\n\n${file} changed, and the stack before stays in use.`);
    }
  };
  const watching = await watchFiles(root, ['functions', 'shared', 'web', 'infra', 'docs'], (files) => {
    replacing.changed(files);
    const read = files.find(isRead);
    if (read !== undefined) void restart(read);
  });
  return watching;
};

/** Its own for each home, in which one stack runs at a time. In the repository, so that `node_modules` is found. */
const bundleFolder = (): string => {
  const name = createHash('sha256').update(findHome().folder).digest('hex').slice(0, 12);
  return join(root, 'node_modules/.cache/masthead/dev', name);
};
