/** The lab's own tests: each instrument in its smallest form, and the long searches. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { compileCache } from '../infra/emulator/lambda/compile-cache.ts';
import '../test/support/own-environment.ts';

process.env.NODE_COMPILE_CACHE ??= compileCache;

/** `--mode many`, of `fuzz` and `simulate:check`: a variable before the command would not run on Windows. */
const many = { FUZZ_RUNS: '20000', DIFFERENTIAL_RUNS: '3000' };

export default defineConfig(({ mode }) => {
  if (mode === 'many') Object.assign(process.env, { ...many, ...process.env });
  return config;
});

const config: ViteUserConfig = {
  root: join(import.meta.dirname, '..'),
  test: {
    include: ['lab/**/*.test.ts'],
    globalSetup: ['test/support/parts-setup.ts'],
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // For what hangs. A busy machine is only slow, and no test is about how quick it is.
    testTimeout: 300_000,
    hookTimeout: 180_000,
  },
};
