/** `GET /admin/docs/`: the OpenAPI document as a page for people. */
import document from '../../docs/openapi.json' with { type: 'json' };
import { contentSecurityPolicy, renderPage } from '../../infra/commands/openapi/page.ts';
import type { Document } from '../../infra/commands/openapi/shown.ts';
import { baseUrl } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { page } from '../../shared/http/response.ts';

// What TypeScript reads out of the JSON is one type for each object in it; the drift test holds the file to its generator.
const rendered = page(renderPage(document as unknown as Document, baseUrl()));

export const handler = openEndpoint({
  line: 'openapi/page',
  handle: async () => ({
    ...rendered,
    headers: { ...rendered.headers, 'Content-Security-Policy': contentSecurityPolicy },
  }),
});
