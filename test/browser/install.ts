/** Installs what browser tests need: Debian's Chromium, unless `CHROMIUM` names a browser, and pngquant. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromiumPath } from './browser.ts';
import { pngquantPath, takesScreenshots } from './screenshots.ts';

const install = (program: string, path: string, packages: readonly string[]): void => {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync(aptGetPath) || process.env.CHROMIUM !== undefined)
    throw new Error(
      `${path} does not exist: install ${program} (Debian: apt-get install ${packages[0]}), or name a browser ` +
        'with CHROMIUM=/path/to/it.',
    );
  const aptGet = (...args: readonly string[]) =>
    execFileSync(aptGetPath, ['-qq', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      // Without a network apt-get waits for each server.
      timeout: 5 * 60_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  console.log(`Installing ${program} …`);
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', ...packages);
};

const aptGetPath = '/usr/bin/apt-get';

/** The `globalSetup` of the browser tests. @throws Error with the package to install, in one line */
export default function setup(): void {
  if (!existsSync(chromiumPath)) install('Chromium', chromiumPath, ['chromium', 'fonts-noto-core']);
  if (takesScreenshots && !existsSync(pngquantPath)) install('pngquant', pngquantPath, ['pngquant']);
}

// `.ci/run` asks first, so that it can go on without a browser.
if (import.meta.main) {
  try {
    setup();
  } catch (error) {
    console.log(
      `The tests in a browser are skipped: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}`,
    );
    process.exitCode = 1;
  }
}
