/** `GET /admin/docs/`: the documentation page, which loads its files from `functions/openapi/asset.ts` and the OpenAPI document. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { pageOfAssets } from '../../shared/http/assets.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

// The build puts the page of `web/docs` beside the bundle. Its links have no host, so that they lead to where the page was opened.
const html = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8').replaceAll(
  '{base}',
  new URL(baseUrl()).pathname,
);

export const handler = openEndpoint({
  line: 'openapi/page',
  handle: async () => {
    // A new one in every response.
    const nonce = randomBytes(16).toString('base64');
    return pageOfAssets(html.replace('{nonce}', nonce), { nonce });
  },
});
