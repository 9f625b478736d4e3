/** The OpenAPI texts of the site and its configuration. */
import { configResource, siteResource } from '../../../shared/publication/site.ts';
import type { OperationTexts } from '../operation.ts';

export const site = {
  'site/read': {
    summary: 'Get the site',
    description: 'What clients show of the site, and ask to find out whether there is one. No key is required.',
    answer: { status: 200, root: 'site', item: siteResource, isSingle: true },
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
  },
  'config/read': {
    summary: 'Get the configuration',
    answer: { status: 200, root: 'config', item: configResource, isSingle: true },
    examples: { read: { summary: 'Version and environment', caller: 'integration' } },
  },
} satisfies Record<string, OperationTexts>;
