/** Sees to it that there is a browser: Debian's Chromium, or the one that `CHROMIUM` names. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromiumPath } from './browser.ts';

const aptGetPath = '/usr/bin/apt-get';

/** The `globalSetup` of the browser tests. @throws Error of one line that says what to install */
export default function setup(): void {
  if (existsSync(chromiumPath)) return;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync(aptGetPath) || process.env.CHROMIUM !== undefined)
    throw new Error(
      `There is no browser at ${chromiumPath}: install Chromium (Debian: apt-get install chromium), or name one with CHROMIUM=/path/to/it.`,
    );
  const aptGet = (...args: readonly string[]) =>
    execFileSync(aptGetPath, ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  console.log('Installing Chromium …');
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-core');
}
