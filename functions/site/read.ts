/** `GET /admin/site/`: returns the title, the look and the version of the site, with or without a key. */
import { settings } from '../../shared/foundation/environment.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';
import { siteOf } from '../../shared/publication/site.ts';

export const handler = openEndpoint({
  line: 'site/read',
  handle: async () => ok({ site: siteOf(settings()) }),
});
