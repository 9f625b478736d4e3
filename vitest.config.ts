import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/parts-setup.ts'],
    // Two cores, two workers: vitest leaves one core to itself, which does next to nothing.
    maxWorkers: '100%',
    // For what hangs. A busy machine is only slow, and no test is about how quick it is.
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
