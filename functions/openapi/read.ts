/** `GET /admin/openapi.json`: the OpenAPI document, with the base URL of this stage. */
import { createHash } from 'node:crypto';
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

interface Version {
  readonly text: string;
  /** Weak, because API Gateway compresses the response. */
  readonly tag: string;
}

/** Written once: half a megabyte of JSON takes longer than the rest of the request. */
let version: Version | undefined;

const currentVersion = async (): Promise<Version> => {
  const text = await written();
  return { text, tag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
};

export const handler = openEndpoint({
  line: 'openapi/read',
  answer: { status: 200, contentType: 'application/json' },
  handle: async ({ request }) => {
    version ??= await currentVersion();
    const { text, tag } = version;
    const headers = { 'Cache-Control': 'public, no-cache', ETag: tag };
    return request.headers['if-none-match'] === tag ? { status: 304, headers } : { status: 200, body: text, headers };
  },
});

export const documentation = (): Documentation => ({
  tag: 'Documentation',
  summary: 'Get this document',
  description:
    'OpenAPI 3.1, with the base URL of the stage that serves it. A request with the `ETag` of the last response in ' +
    '`If-None-Match` gets 304 while the document is the same.',
  what: 'The document.',
  examples: { read: { summary: 'Without a key' } },
});
