/** Tests in a real browser, separate from `npm test`, which needs only packages from npm. */
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import '../support/own-environment.ts';

/** `--mode screenshots` takes the screenshots of the documentation. */
export default defineConfig(({ mode }) => {
  if (mode === 'screenshots') process.env.SCREENSHOTS = '1';
  return config;
});

const config: ViteUserConfig = {
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/browser/*.browser.ts'],
    globalSetup: ['test/browser/install.ts'],
    // Two at a time: with three, pages that share two cores answer the keyboard too late.
    maxWorkers: 2,
    // Timeouts are for what never happens: a busy machine is only slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
  },
};
