/** `GET /console/`: the entry page of the console, which loads its files from `functions/console/asset.ts` and calls the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { page } from '../../shared/http/response.ts';

// The build puts the page of `web/console` beside the bundle.
const html = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8');

/** Allows files and requests of this origin only. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const handler = openEndpoint({
  line: 'console/page',
  handle: async ({ request }) => {
    // Relative, so that the page works under any domain and stage; the slash at the end of its address is optional.
    const answer = page(html.replaceAll('{folder}', request.path.endsWith('/') ? './' : 'console/'));
    return { ...answer, headers: { ...answer.headers, 'Content-Security-Policy': contentSecurityPolicy } };
  },
});
