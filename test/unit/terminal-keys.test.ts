/** The keys of a running stack's terminal: a page that no browser shows is not said to open. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import type { StackFile } from '../../infra/local/home.ts';
import { readKeys } from '../../infra/local/terminal-keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'masthead-keys-'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(folder, { recursive: true }));

it.runIf(process.platform === 'linux').each([
  ['there is no program for it', undefined],
  ['the program finds no browser', '#!/bin/sh\nexit 3\n'],
])('the terminal says that no browser opened if %s', async (_when, program) => {
  // Given
  vi.stubEnv('PATH', folder);
  if (program !== undefined) writeFileSync(join(folder, 'xdg-open'), program, { mode: 0o700 });
  const stdin = Object.assign(process.stdin, { setRawMode: () => process.stdin });
  vi.spyOn(stdin, 'resume').mockReturnThis();
  vi.spyOn(console, 'log').mockReturnValue();
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  const keys = readKeys({ mailbox: 'http://127.0.0.1:1/secret' } as StackFile, () => {});
  // When
  stdin.emit('data', 'm');
  // Then
  await vi.waitFor(() => expect(errors).toHaveBeenCalledWith('No browser opened. Open the address yourself.'));
  await keys.stop();
  Reflect.deleteProperty(stdin, 'setRawMode');
});
