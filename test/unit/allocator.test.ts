/** The process of a local stack, which starts anew with settings for the C library's allocator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'masthead-allocator-'));
afterAll(() => rmSync(folder, { recursive: true }));
const module = JSON.stringify(new URL('../../infra/local/allocator.ts', import.meta.url).href);
const file = join(folder, 'start.mjs');
writeFileSync(
  file,
  `import { shareFreedMemory } from ${module};
  shareFreedMemory();
  const { pid, argv, execArgv, env } = process;
  console.log(JSON.stringify({ pid, args: argv.slice(1), flags: execArgv, arenas: env.MALLOC_ARENA_MAX, kept: env.KEPT }));`,
);

const start = async (environment: Record<string, string> = {}) => {
  const flags = ['--max-semi-space-size=8'];
  const { MALLOC_ARENA_MAX: _own, ...env } = process.env;
  const child = spawn(process.execPath, [...flags, file, '--quiet'], { env: { ...env, ...environment } });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { pid: child.pid, flags, printed: JSON.parse(output) };
};

it.runIf(process.platform === 'linux')('keeps its id, arguments and variables', async () => {
  const { pid, flags, printed } = await start({ KEPT: 'yes' });
  expect(printed).toMatchObject({ pid, flags, args: [file, '--quiet'], arenas: '1', kept: 'yes' });
});

it('does not start anew if the number of arenas is set', async () => {
  expect((await start({ MALLOC_ARENA_MAX: '3' })).printed.arenas).toBe('3');
});
