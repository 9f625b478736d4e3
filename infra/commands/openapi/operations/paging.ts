/** The two query parameters that lists in pages have in common. */
import * as v from 'valibot';
import type { QueryParameter } from '../operation.ts';

export const limit = (most: number): QueryParameter => ({
  schema: v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)), v.literal('all')]),
  description: `Items on a page at most: ${most} without it, and for \`all\`.`,
});

export const cursor: QueryParameter = {
  schema: v.string(),
  description: 'Goes on where a page ended: the `meta.pagination.next` of that page, as it is.',
};
