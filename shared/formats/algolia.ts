/** Records for Algolia, of at most 10 KB (https://www.algolia.com/doc/rest-api/search/batch). */
import * as v from 'valibot';
import { maxChars, text } from '../foundation/fields.ts';
import { field, secret } from '../foundation/resource.ts';
import { notIndexed } from './indexed-events.ts';
import type { Preset } from './preset.ts';
import { jsonBody } from './rendering.ts';
import { documentId, isDeletion, searchDocument } from './search-document.ts';

export const algolia: Preset<{ readonly application_id: string; readonly api_key: string }> = {
  settings: {
    application_id: field(
      v.pipe(text, maxChars(50), v.regex(/^\w+$/, 'must have letters and digits only.')),
      'The id of the application.',
      'YourAppID1',
    ),
    api_key: secret(
      field(
        v.nullable(v.pipe(text, maxChars(512), v.regex(/^[\x21-\x7e]+$/, 'must have visible ASCII characters only.'))),
        'A key that may add and delete objects. Not returned.',
      ),
    ),
  },
  misfit: (event, targetUrl) =>
    notIndexed(event) ??
    (/\/indexes\/[^/]+\/batch$/.test(URL.parse(targetUrl)?.pathname ?? '')
      ? undefined
      : 'needs a target_url such as https://<application id>.algolia.net/1/indexes/<index>/batch'),
  render: (rendering, { application_id, api_key }) => {
    const credentials = { 'X-Algolia-Application-Id': application_id, 'X-Algolia-API-Key': api_key };
    // Such as a ping.
    if (notIndexed(rendering.event) !== undefined) return jsonBody({ requests: [] }, credentials);
    const objectID = documentId(rendering);
    const request = isDeletion(rendering)
      ? { action: 'deleteObject', body: { objectID } }
      : { action: 'updateObject', body: { objectID, ...searchDocument(rendering) } };
    return jsonBody({ requests: [request] }, credentials);
  },
};
