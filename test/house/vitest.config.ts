/** The rules of the house for `npm run check`, without the embedded parts that `npm test` starts. */
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['test/house/**/*.test.ts'], isolate: false } });
