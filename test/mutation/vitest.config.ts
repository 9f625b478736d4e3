/** Runs the test files of one part on its mutants. */
import { defineConfig } from 'vitest/config';
import { currentTests } from './scope.ts';

export default defineConfig({
  test: {
    include: [...currentTests()],
    globalSetup: ['test/mutation/parts.ts'],
    // A test that is slow on a busy machine must not count as one that fails.
    testTimeout: 40_000,
    hookTimeout: 40_000,
  },
});
