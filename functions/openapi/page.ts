/** `GET /admin/docs/`: the documentation page. It loads `functions/openapi/asset.ts`'s files and the document. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { pageOfAssets } from '../../shared/http/assets.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

/** The build puts `web/docs`' page beside the bundle. Its links have no host: they lead to where it was opened. */
const readPage = (): string =>
  readFileSync(join(import.meta.dirname, 'page.html'), 'utf8').replaceAll('{base}', new URL(baseUrl()).pathname);

let html: string | undefined;

export const handler = openEndpoint({
  line: 'openapi/page',
  answer: { status: 200, contentType: 'text/html' },
  handle: async () => {
    // A new one in every response.
    const nonce = randomBytes(16).toString('base64');
    html ??= readPage();
    return pageOfAssets(html.replace('{nonce}', nonce), { nonce });
  },
});

export const documentation = (): Documentation => ({
  tag: 'Documentation',
  summary: 'Open the documentation page',
  description: 'For people: search, samples for curl and Node.js, and requests sent from the page with your key.',
  what: 'The page.',
  examples: { open: { summary: 'Without a key' } },
});
