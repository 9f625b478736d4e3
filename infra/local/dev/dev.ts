/** `npm run dev`: runs `stack.ts` as a process, and restarts it when templates or the local stack itself change. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../cdk/root.ts';
import { onParentEnd } from '../parent-process.ts';
import { restartCode } from './restart-code.ts';
import { watchFiles } from './watch.ts';

const given = process.argv.slice(2);
// A restart must not repeat `--fresh`, because the first start has already deleted the data.
const again = given.filter((option) => option !== '--fresh');

let stack = start(given);
const endWith = (signal: NodeJS.Signals) => {
  if (stack.exitCode !== null) process.exit(0);
  stack.kill(signal);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endWith(signal));
if (process.env.npm_lifecycle_event !== undefined) onParentEnd(() => endWith('SIGTERM'));

let hasRestarted = false;
for (;;) {
  const [code] = await once(stack, 'exit');
  if (code === 1 && hasRestarted) {
    console.log('The stack did not start. It is tried again when you save a file.');
    await nextSave();
  } else if (code !== restartCode) process.exit(code ?? 0);
  hasRestarted = true;
  stack = start(again);
}

function start(options: readonly string[]) {
  return fork(join(import.meta.dirname, 'stack.ts'), options, { execArgv: process.execArgv });
}

async function nextSave(): Promise<void> {
  const saved = Promise.withResolvers<void>();
  const watching = await watchFiles(root, ['functions', 'shared', 'web', 'infra'], () => saved.resolve());
  await saved.promise;
  await watching.stop();
}
