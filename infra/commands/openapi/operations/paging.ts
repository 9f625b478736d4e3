/** The query parameters of paginated lists, and their errors. */
import * as v from 'valibot';
import type { ErrorCase, QueryParameter } from '../operation.ts';
import { invalid } from './errors.ts';

export const limit = (max: number): QueryParameter => ({
  schema: v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(max)), v.literal('all')]),
  description: `The maximum number of items on the page. Default: ${max}, which \`all\` means too.`,
});

export const cursor: QueryParameter = {
  schema: v.string(),
  description: 'Continues a list: `meta.pagination.next` of the previous page, unchanged.',
};

export const invalidLimit: ErrorCase = invalid('limit', '`limit` is not a number from 1 to 100, or `all`');
export const invalidCursor: ErrorCase = invalid('cursor', '`cursor` does not belong to this list and its filters');
