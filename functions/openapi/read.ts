/** `GET /admin/openapi.json`: the OpenAPI document, with the base URL of this stage. */
import document from '../../docs/openapi.json' with { type: 'json' };
import { baseUrl } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';

const servers = [{ url: baseUrl() }];

export const handler = openEndpoint({
  line: 'openapi/read',
  handle: async () => ok({ ...document, servers }),
});
