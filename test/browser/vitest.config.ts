/** Tests in a real browser, separate from `npm test`, which needs only packages from npm. */
import { availableParallelism } from 'node:os';
import { defineConfig, type ViteUserConfig } from 'vitest/config';

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
    // Most of the time a file waits for its pages: three for two cores leave none idle.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Timeouts are for what never happens: a busy machine is only slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 45_000 } },
  },
};
