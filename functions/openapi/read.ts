/** `GET /admin/openapi.json`: the OpenAPI document, with the base URL of this stage. */
import { baseUrl } from '../../shared/foundation/environment.ts';
import type { Documentation } from '../../shared/http/documentation.ts';
import { openEndpoint } from '../../shared/http/endpoint.ts';

/** Returns the document in ASCII: a single `…` would double the text's memory, and the time of each copy. */
const written = async (): Promise<string> => {
  // The generator of the document imports this file.
  const { default: document } = await import('../../docs/openapi.json', { with: { type: 'json' } });
  return JSON.stringify({ ...document, servers: [{ url: baseUrl() }] }).replace(
    /[^\0-\x7f]/g,
    (other) => `\\u${other.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};

/** Written once: half a megabyte of JSON takes longer than the rest of the request. */
let text: string | undefined;

export const handler = openEndpoint({
  line: 'openapi/read',
  answer: { status: 200, contentType: 'application/json' },
  handle: async () => {
    text ??= await written();
    return { status: 200, body: text };
  },
});

export const documentation = (): Documentation => ({
  tag: 'Documentation',
  summary: 'Get this document',
  description: 'OpenAPI 3.1, with the base URL of the stage that serves it.',
  what: 'The document.',
  examples: { read: { summary: 'Without a key' } },
});
