/** Bundles the handler of a function and nothing else that its file exports: the documentation of an endpoint is for the OpenAPI document. */
import type { Plugin } from 'esbuild';

/** Makes an entry point of each `functions/<name>.ts`, which exports the handler only. */
export const onlyHandler: Plugin = {
  name: 'only-handler',
  setup({ onResolve, onLoad, initialOptions: { absWorkingDir = '' } }) {
    onResolve({ filter: /^(?:\.\/)?functions\// }, ({ kind, path }) =>
      kind === 'entry-point' ? { path: path.replace('./', ''), namespace: 'handler' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'handler' }, ({ path }) => ({
      contents: `export { handler } from './${path}';`,
      resolveDir: absWorkingDir,
    }));
  },
};
