/** `GET /admin/docs/{file}/`: the documentation page's scripts and styles, and the licences of their packages. */
import { join } from 'node:path';
import { assetEndpoint } from '../../shared/http/assets.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';

export const handler = assetEndpoint('openapi/asset', join(import.meta.dirname, 'assets'));

export const documentation = (): Documentation => ({
  tag: 'Documentation',
  summary: 'Get a file of the page',
  description:
    'A script or style sheet of the page, or `licences.txt`, the licences of the packages in them. ' +
    'The content of a name with a hash never changes.',
  what: 'The file.',
  errors: [notFound('the page has no such file')],
  examples: { licences: { summary: 'The licences', path: { file: 'licences.txt' } } },
});
