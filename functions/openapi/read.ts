/** `GET /admin/openapi.json`: the OpenAPI document, with the base URL of this stage. */
import document from '../../docs/openapi.json' with { type: 'json' };
import { baseUrl } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

/** Written once: half a megabyte of JSON takes longer than the rest of the request. */
const text = JSON.stringify({ ...document, servers: [{ url: baseUrl() }] });

export const handler = openEndpoint({
  line: 'openapi/read',
  handle: async () => ({ status: 200, body: text }),
});
