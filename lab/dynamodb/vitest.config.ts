/** The tests of stores and endpoints, for `dynamodb.ts`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{unit,endpoints,fan-out}/**/*.test.ts'],
    globalSetup: ['lab/dynamodb/setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
