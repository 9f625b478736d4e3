/** `npm run ops -- prove` on a running stack: it reports what the stack shows, and removes what it made. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { runScript } from '../support/run-script.ts';

const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGINT');
  home.remove();
});

const ops = join(import.meta.dirname, '../../infra/ops/ops.ts');
const integrations = async () =>
  (await running.call('GET', '/admin/integrations/', { key: running.stack.adminKey })).text;

test('prove reports what the local stack shows, and what only an account can, and removes what it made', async () => {
  const { code, output } = await runScript('infra/ops/ops.ts', ['prove', '--stage', 'local'], {
    MASTHEAD_HOME: home.folder,
  });
  const results = [...output.matchAll(/^\| ([\w ]+) \| .* \| \*\*([\w ]+)\*\* \| .*$/gm)].map(([, name, result]) => [
    name,
    result,
  ]);
  const of = (result: string) => new Set(results.flatMap(([name, one]) => (one === result ? [name] : [])));
  expect(of('different')).toEqual(new Set());
  expect(of('as expected')).toEqual(
    new Set([
      'transactions',
      'console',
      'unknown path',
      'compressed body',
      'large body',
      'posts of Ghost',
      'exploit in a post',
      'delivery and delay',
      'mail',
      'redrive',
    ]),
  );
  expect(output).toContain('the local stack has no CloudWatch');
  expect(code).toBe(0);
  expect(await integrations()).not.toContain('prove-');
});

test('prove removes what it made after Ctrl-C', async () => {
  const child = spawn(process.execPath, [ops, 'prove', '--stage', 'local'], {
    env: { ...process.env, MASTHEAD_HOME: home.folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // The first answer follows what was made.
  await once(child.stderr, 'data');
  expect(await integrations()).toContain('prove-');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(130);
  expect(await integrations()).not.toContain('prove-');
});
