/** `GET /admin/site/`: returns the title, the look and the version of the site, with or without a key. */
import { settings } from '../../shared/foundation/environment.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';
import { siteOf, siteResource } from '../../shared/publication/site.ts';

export const handler = openEndpoint({
  line: 'site/read',
  answer: { status: 200, root: 'site', item: siteResource, isSingle: true },
  handle: async ({ reply }) => reply(siteOf(settings())),
});

export const documentation = (): Documentation => ({
  tag: 'Site',
  summary: 'Get the site',
  description: 'What clients show of the site, and ask to find out whether there is one. No key is required.',
  examples: {
    read: {
      summary: 'Without a key',
      answer: {
        title: 'The Daily Test',
        description: '',
        logo: null,
        icon: null,
        accent_color: '#1a4f8b',
        locale: 'en',
        timezone: 'Etc/UTC',
        url: 'http://localhost/',
        version: '6.0',
      },
    },
  },
});
