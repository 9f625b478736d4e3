/** Takes the screenshots of `docs/images`, small enough for a repository. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

export const takesScreenshots = process.env.SCREENSHOTS === '1';
export const pngquantPath = '/usr/bin/pngquant';

const images = join(import.meta.dirname, '../../docs/images');

/** Writes a screenshot of a page, or of its window, with a palette of 256 colours, which takes a third of the bytes. */
export const takeScreenshot = async (page: Page, name: string, fullPage = true): Promise<void> => {
  mkdirSync(images, { recursive: true });
  const path = join(images, `${name}.png`);
  await page.screenshot({ path, fullPage });
  execFileSync(pngquantPath, ['--ext=.png', '--force', '--speed=4', '--strip', path]);
};
