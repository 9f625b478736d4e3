/** Runs the test files of one part on its mutants. */
import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { currentTests, testTimeoutMs } from './scope.ts';

/** The embedded parts take longer to start than many tests that need none of them. */
const needsParts = currentTests().some((file) => readFileSync(file, 'utf8').includes('/support/parts'));

export default defineConfig({
  test: {
    include: [...currentTests()],
    globalSetup: needsParts ? ['lab/mutation/parts.ts'] : [],
    testTimeout: testTimeoutMs(),
    hookTimeout: testTimeoutMs(),
  },
});
