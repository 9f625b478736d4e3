/** What esbuild changes in the bundles of functions: plug-ins that keep out what no function needs when it starts. */
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/** Bundles only the handler of `functions/<name>.ts`: an endpoint's texts are for the OpenAPI document. */
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

/** Compresses the OpenAPI document. As a module, its function would parse half a megabyte of JSON at each start. */
export const compressedDocument: Plugin = {
  name: 'compressed document',
  setup({ onLoad }) {
    onLoad({ filter: /\/docs\/openapi\.json$/ }, async ({ path }) => {
      const document = JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
      const base64 = gzipSync(document, { level: 9 }).toString('base64');
      return {
        contents: `import { gunzipSync } from 'node:zlib';
export default JSON.parse(gunzipSync(Buffer.from('${base64}', 'base64')).toString());`,
        loader: 'js',
      };
    });
  },
};

const builtinModule = 'builtin-module';

/**
 * Makes bundles require Node's modules. An `import` reads every export, also the lazy ones: `node:http` then loads
 * Node's own undici, and every INIT with an AWS client takes 1.3 times as long (lab/README.md).
 */
export const requireBuiltinModules: Plugin = {
  name: 'require Node modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z:_/]+$/ }, ({ path, kind, namespace: from }) => {
      if (!isBuiltin(path)) return undefined;
      const isImport = kind === 'import-statement' || kind === 'dynamic-import';
      return isImport && from !== builtinModule ? { path, namespace: builtinModule } : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: builtinModule }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/** Read once, as the SDK's chain does; they stay the same for the life of an environment. */
const provider = `import { fromEnv } from '@aws-sdk/credential-provider-env';
export const defaultProvider = (options) => {
  let read;
  return () => (read ??= fromEnv(options)());
};`;

/**
 * Reads AWS credentials from the environment only, where Lambda puts them. The SDK's chain adds a third to each bundle.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html, "Defined runtime environment variables"
 */
export const credentialsOfEnvironment: Plugin = {
  name: 'credentials of the environment',
  setup({ onLoad }) {
    onLoad({ filter: /\/@aws-sdk\/credential-provider-node\/dist-es\/index\.js$/ }, () => ({
      contents: provider,
    }));
  },
};

/** Leaves nodemailer's table of file types out: only attachments need these 40 kB. */
export const mailsWithoutAttachments: Plugin = {
  name: 'mails without attachments',
  setup({ onLoad }) {
    onLoad({ filter: /\/nodemailer\/dist\/esm\/mime-funcs\/mime-types\.js$/ }, () => ({
      contents: 'export const detectMimeType = () => "application/octet-stream", detectExtension = () => "bin";',
    }));
  },
};
