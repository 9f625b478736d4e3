/** Tests in a real browser, separate from `npm test`, which needs only packages from npm. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/browser/*.browser.ts'],
    globalSetup: ['test/browser/install.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // For what never happens: a busy machine is only slow.
    expect: { poll: { timeout: 15_000 } },
  },
});
