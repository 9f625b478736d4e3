/** The OpenAPI texts of the documentation. */
import { notFound } from '../errors.ts';
import type { OperationTexts } from '../operation.ts';

export const documentation = {
  'openapi/read': {
    summary: 'Get this document',
    description: 'OpenAPI 3.1, with the base URL of the stage that serves it.',
    answer: { status: 200, contentType: 'application/json', what: 'The document.' },
    examples: { read: { summary: 'Without a key' } },
  },
  'openapi/page': {
    summary: 'Open the documentation page',
    description: 'For people: search, samples for curl and Node.js, and requests sent from the page with your key.',
    answer: { status: 200, contentType: 'text/html', what: 'The page.' },
    examples: { open: { summary: 'Without a key' } },
  },
  'openapi/asset': {
    summary: 'Get a file of the page',
    description:
      'A script or style sheet of the page, or `licences.txt`, the licences of the packages in them. The content of a name with a hash never changes.',
    answer: { status: 200, contentType: 'text/plain', what: 'The file.' },
    errors: [notFound('the page has no such file')],
    examples: { licences: { summary: 'The licences', path: { file: 'licences.txt' } } },
  },
} satisfies Record<string, OperationTexts>;
