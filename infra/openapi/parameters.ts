/** The query parameters of paginated lists. */
import * as v from 'valibot';
import { isoTime } from '../../shared/foundation/iso-time.ts';
import type { QueryParameter } from './operation.ts';

export const limit: QueryParameter = {
  schema: v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), v.literal('all')]),
  description: 'The maximum number of items on the page. Default: 100, which `all` means too.',
  invalid: '`limit` is not a number from 1 to 100, or `all`',
};

export const cursor: QueryParameter = {
  schema: v.pipe(v.string(), v.minLength(1)),
  description:
    'Continues a list: `meta.pagination.next` of the previous page, unchanged. Omit it for the first page; an empty one is refused.',
  invalid: '`cursor` does not belong to this list and its filters',
};

/** The schema of a time or a day. */
export const time = v.pipe(
  v.string(),
  v.regex(isoTime),
  v.metadata({ examples: ['2026-11-21T09:00:00Z', '2026-11-21'] }),
);
