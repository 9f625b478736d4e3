/**
 * Makes bundles require Node's modules. An `import` of one reads all of its exports, also those that Node loads on first use: `node:http`
 * then loads Node's own undici, and every INIT with an AWS client takes 1.3 times as long (lab/README.md).
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const namespace = 'builtin-module';

export const requireBuiltinModules: Plugin = {
  name: 'require Node modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind, namespace: from }) => {
      if (!isBuiltin(path)) return undefined;
      const isImport = kind === 'import-statement' || kind === 'dynamic-import';
      return isImport && from !== namespace ? { path, namespace } : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};
