/** Runs the tests that `mutate.ts` names, on the embedded parts. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(' '),
    globalSetup: ['lab/mutation/parts.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
