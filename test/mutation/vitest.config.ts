/** Runs the test files of one part on its mutants. */
import { defineConfig } from 'vitest/config';
import { currentPart, testsOf } from './scope.ts';

export default defineConfig({
  test: {
    // Stryker runs in a copy of the repository, and this is its root.
    include: [...testsOf(currentPart(), process.cwd())],
    globalSetup: ['test/mutation/parts.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
