/**
 * Documents for Meilisearch: added or replaced by `POST /indexes/<index>/documents`, and deleted by
 * `POST /indexes/<index>/documents/delete-batch` (https://www.meilisearch.com/docs/reference/api/documents).
 */
import * as v from 'valibot';
import { maxChars, text } from '../foundation/fields.ts';
import { field, secret } from '../foundation/resource.ts';
import { notIndexed } from './indexed-events.ts';
import type { Preset } from './preset.ts';
import { jsonBody } from './rendering.ts';
import { documentId, isDeletion, searchDocument } from './search-document.ts';

export const meilisearch: Preset<{ readonly api_key: string }> = {
  settings: {
    api_key: secret(
      field(
        v.nullable(v.pipe(text, maxChars(512), v.regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters only.'))),
        'A key that may add and delete documents. Not returned.',
      ),
    ),
  },
  misfit: (event, targetUrl) =>
    notIndexed(event) ??
    (path.test(URL.parse(targetUrl)?.pathname ?? '')
      ? undefined
      : 'needs a target_url with the path /indexes/<index>/documents'),
  render: (rendering, { api_key }, target_url) => {
    const authorization = { Authorization: `Bearer ${api_key}` };
    // Such as a ping.
    if (notIndexed(rendering.event) !== undefined) return jsonBody([], authorization);
    const id = documentId(rendering);
    if (!isDeletion(rendering)) return jsonBody([{ id, ...searchDocument(rendering) }], authorization);
    const url = new URL(target_url);
    url.pathname = url.pathname.replace(path, '/documents/delete-batch');
    return { ...jsonBody([id], authorization), url: url.href };
  },
};

/** The path of documents. A deletion has one of its own, which `render` chooses. */
const path = /\/documents\/?$/;
