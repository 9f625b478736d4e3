/** A process id in a file counts only while that process runs the program that wrote it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commandLineOf, remember, remembered } from '../../infra/emulator/parts/pid-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'masthead-pid-'));
const file = join(folder, 'pid');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a process is found by its program, with either path separator', () => {
  remember(file, process.pid);
  expect(remembered(file, 'node_modules/vitest')).toBe(process.pid);
  expect(remembered(file, 'node_modules\\vitest')).toBe(process.pid);
});

it('a process is not found if its id now belongs to another program or to none', () => {
  remember(file, process.pid);
  expect(remembered(file, 'dynoxide')).toBeUndefined();
  remember(file, 2 ** 22 + 1);
  expect(remembered(file, 'node_modules/vitest')).toBeUndefined();
});

const hasPs = spawnSync('ps', ['-p', '1']).error === undefined;

it.runIf(hasPs)('a process is looked up with ps if the system has no /proc', () => {
  expect(commandLineOf(process.pid, 'darwin')).toContain('vitest');
  expect(commandLineOf(2 ** 22 + 1, 'darwin')).toBe('');
});
