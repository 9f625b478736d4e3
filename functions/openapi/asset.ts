/** `GET /admin/docs/{file}/`: the scripts and style sheets of the documentation page, and the licences of the packages in them. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

// The build puts the files of `web/docs` beside the bundle. API Gateway compresses them.
const folder = join(import.meta.dirname, 'assets');
const files = new Set(readdirSync(folder));

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' };

/** `main-4DBFWTGY.js`: another content would have another name. */
const hashed = /-[0-9A-Z]{8}\.\w+$/;

export const handler = openEndpoint({
  line: 'openapi/asset',
  handle: async ({ request }) => {
    const { file = '' } = request.params;
    if (!files.has(file))
      throw new NotFoundError('The documentation page has no such file.', {
        help: 'Reload the page: after an update its files have other names.',
      });
    return {
      status: 200,
      body: await readFile(join(folder, file), 'utf8'),
      headers: {
        'Content-Type': `${types[extname(file)]}; charset=utf-8`,
        ...(hashed.test(file) && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
      },
    };
  },
});
