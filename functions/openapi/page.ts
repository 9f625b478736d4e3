/** `GET /admin/docs/`: the documentation page, which loads its files from `functions/openapi/asset.ts` and the OpenAPI document. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { page } from '../../shared/http/response.ts';

// The build puts the page of `web/docs` beside the bundle. Its links have no host, so that they lead to where the page was opened.
const html = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8').replaceAll(
  '{base}',
  new URL(baseUrl()).pathname,
);

/** Allows this origin only. The nonce, a new one in every response, is for `<style>` elements that scripts of the page create. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const handler = openEndpoint({
  line: 'openapi/page',
  handle: async () => {
    const nonce = randomBytes(16).toString('base64');
    const answer = page(html.replace('{nonce}', nonce));
    return { ...answer, headers: { ...answer.headers, 'Content-Security-Policy': contentSecurityPolicy(nonce) } };
  },
});
