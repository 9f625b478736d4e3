/** `GET /console/`: the entry page of the console, which loads its files from `functions/console/asset.ts` and calls the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../../shared/foundation/environment.ts';
import { pageOfAssets } from '../../shared/http/assets.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

// The build puts the page of `web/console` beside the bundle.
const html = readFileSync(join(import.meta.dirname, 'page.html'), 'utf8');

export const handler = openEndpoint({
  line: 'console/page',
  // Relative, so that the page works under any domain and stage; the slash at the end of its address is optional.
  handle: async ({ request }) =>
    pageOfAssets(html.replaceAll('{folder}', request.path.endsWith('/') ? './' : 'console/'), {
      image: settings().publication.logoUrl,
    }),
});
