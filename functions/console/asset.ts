/** `GET /console/{file}/`: the scripts and style sheets of the console, and the licences of the packages in them. */
import { join } from 'node:path';
import { assetEndpoint } from '../../shared/http/assets.ts';
import { type Documentation, notFound } from '../../shared/http/documentation.ts';

export const handler = assetEndpoint('console/asset', join(import.meta.dirname, 'assets'));

export const documentation = (): Documentation => ({
  tag: 'Console',
  summary: 'Get a file of the console',
  description:
    'A script or style sheet of the console, or `licences.txt`, the licences of the packages in them. ' +
    'The content of a name with a hash never changes.',
  what: 'The file.',
  errors: [notFound('the page has no such file')],
  examples: { licences: { summary: 'The licences', path: { file: 'licences.txt' } } },
});
