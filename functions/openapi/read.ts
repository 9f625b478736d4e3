/** `GET /admin/openapi.json`: the OpenAPI document, with the base URL of this stage. */
import document from '../../docs/openapi.json' with { type: 'json' };
import { baseUrl } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

/** Written once: half a megabyte of JSON takes longer than the rest of the request. */
const json = JSON.stringify({ ...document, servers: [{ url: baseUrl() }] });

/** A single `…` would double the text's memory, and the time of each copy. */
const text = json.replace(/[^\0-\x7f]/g, (other) => `\\u${other.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const handler = openEndpoint({
  line: 'openapi/read',
  handle: async () => ({ status: 200, body: text }),
});
