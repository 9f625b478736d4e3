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
    description: 'For people, in a browser; it needs no script.',
    answer: { status: 200, contentType: 'text/html', what: 'The page.' },
    examples: { open: { summary: 'For anyone', caller: 'anyone', status: 200 } },
  },
} satisfies Record<string, Operation>;
