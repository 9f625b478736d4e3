/** `GET /console/`: the entry page of the console. It loads `functions/console/asset.ts`'s files and calls the API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settings } from '../../shared/foundation/environment.ts';
import { html } from '../../shared/foundation/html.ts';
import { pageOfAssets } from '../../shared/http/assets.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

let page: string | undefined;

export const handler = openEndpoint({
  line: 'console/page',
  answer: { status: 200, contentType: 'text/html' },
  handle: async ({ request }) => {
    const { name, url, logoUrl, accentColor } = settings().publication;
    const placeholders: Readonly<Record<string, string>> = {
      // Relative, so that the page works under any domain and stage; the slash at the end of its address is optional.
      folder: request.path.endsWith('/') ? './' : 'console/',
      // The frame is painted before the first script has run.
      name: html`${name}`.html,
      site: html`${JSON.stringify({ name, url, logoUrl, accentColor })}`.html,
    };
    // The build puts the page of `web/console` beside the bundle.
    page ??= readFileSync(join(import.meta.dirname, 'page.html'), 'utf8');
    return pageOfAssets(
      page.replaceAll(/\{(folder|name|site)\}/g, (_, placeholder: string) => placeholders[placeholder] ?? ''),
      { image: logoUrl, script: /<script data-api[^>]*>([^<]*)</.exec(page)?.[1] },
    );
  },
});

export const documentation = (): Documentation => ({
  tag: 'Console',
  summary: 'Open the console',
  description: 'For people: webhooks, deliveries, staff and integrations in a browser. The page calls this API only.',
  what: 'The page.',
  examples: { open: { summary: 'Without a key' } },
});
