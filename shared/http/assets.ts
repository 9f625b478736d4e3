/** Serves pages of several files, and these files: scripts, style sheets, and the licences of their packages. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FunctionName } from '../contract.ts';
import { NotFoundError } from '../foundation/errors.ts';
import { type EndpointHandler, openEndpoint } from './endpoint.ts';
import { type HttpResponse, page } from './response.ts';

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.txt': 'text/plain' };

/** A name with a hash, such as `main-4DBFWTGY.js`: other content would have another name. */
const hashed = /-[0-9A-Z]{8}\.\w+$/;

/** Creates the handler of an endpoint whose path ends in `{file}/`: of files that the build puts into `folder`. */
export const assetEndpoint = (line: FunctionName, folder: string): EndpointHandler => {
  let files: ReadonlySet<string> | undefined;
  return openEndpoint({
    line,
    answer: { status: 200, contentType: 'text/plain' },
    handle: async ({ request }) => {
      const { file = '' } = request.params;
      files ??= new Set(readdirSync(folder));
      if (!files.has(file))
        throw new NotFoundError('The page has no such file.', {
          help: 'Reload the page: after an update its files have other names.',
        });
      return {
        status: 200,
        body: await readFile(join(folder, file), 'utf8'),
        headers: {
          'Content-Type': `${types[extname(file)]}; charset=utf-8`,
          ...(hashed.test(file) && { 'Cache-Control': 'public, max-age=31536000, immutable' }),
        },
      };
    },
  });
};

/**
 * Returns the response with a page that loads its files and calls the API. Its policy allows only this origin.
 * @param allowed a nonce for `<style>` elements that the page's scripts create, the URL of an image elsewhere, and the
 *   script inside the page
 */
export const pageOfAssets = (
  html: string,
  {
    nonce,
    image,
    script,
  }: { readonly nonce?: string; readonly image?: string | undefined; readonly script?: string | undefined } = {},
): HttpResponse => {
  const hash = script === undefined ? '' : ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src 'self'${hash}`,
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "connect-src 'self'",
    `img-src 'self' data:${image === undefined ? '' : ` ${new URL(image).origin}`}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const answer = page(html);
  return { ...answer, headers: { ...answer.headers, 'Content-Security-Policy': policy } };
};
