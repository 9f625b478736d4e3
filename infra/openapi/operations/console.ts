/** The OpenAPI texts of the console. */
import { notFound } from '../errors.ts';
import type { OperationTexts } from '../operation.ts';

export const consolePage = {
  'console/page': {
    summary: 'Open the console',
    description: 'For people: webhooks, deliveries, staff and integrations in a browser. The page calls this API only.',
    answer: { status: 200, contentType: 'text/html', what: 'The page.' },
    examples: { open: { summary: 'Without a key' } },
  },
  'console/asset': {
    summary: 'Get a file of the console',
    description:
      'A script or style sheet of the console, or `licences.txt`, the licences of the packages in them. The content of a name with a hash never changes.',
    answer: { status: 200, contentType: 'text/plain', what: 'The file.' },
    errors: [notFound('the page has no such file')],
    examples: { licences: { summary: 'The licences', path: { file: 'licences.txt' } } },
  },
} satisfies Record<string, OperationTexts>;
