/** Bundles the OpenAPI document compressed: as a module, half a megabyte of JSON would be parsed as code at each start of its function. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

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
