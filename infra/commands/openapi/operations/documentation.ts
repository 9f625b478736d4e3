/** What the OpenAPI document says of itself. */
import type { Operation } from '../operation.ts';

const resource = 'Documentation';

export const documentation = {
  'openapi/read': {
    resource,
    summary: 'This document',
    description: 'OpenAPI 3.1, with the base URL of the stage that serves it.',
    answer: { status: 200, contentType: 'application/json', what: 'The document.' },
    examples: { read: { summary: 'For anyone', caller: 'anyone', status: 200 } },
  },
  'openapi/page': {
    resource,
    summary: 'This document as a page',
    description:
      'For people, in a browser: with search, samples for curl and Node.js, and requests sent from the page with your key.',
    answer: { status: 200, contentType: 'text/html', what: 'The page.' },
    examples: { open: { summary: 'For anyone', caller: 'anyone', status: 200 } },
  },
  'openapi/asset': {
    resource,
    summary: 'A file of the page',
    description:
      'A script or style sheet that the page names, or `licences.txt`, the licences of the packages in them. Names with a hash of their content never get another content.',
    answer: { status: 200, contentType: 'text/plain', what: 'The file.' },
    errors: [{ status: 404, type: 'NotFoundError', when: 'the page has no such file' }],
    examples: { licences: { summary: 'The licences', caller: 'anyone', path: { file: 'licences.txt' }, status: 200 } },
  },
} satisfies Record<string, Operation>;
