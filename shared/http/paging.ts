/** Pages of a list: `?limit=`, and `?cursor=` or `?page=`, with `meta.pagination` (docs/compatibility.md, "Lists"). */
import { timestamp } from '../foundation/clock.ts';
import { ValidationError } from '../foundation/errors.ts';
import { isId } from '../foundation/ids.ts';
import { describe } from './items.ts';
import { invalidParameter, type SentQuery } from './query.ts';

export interface Pages {
  /** The maximum number of items on a page; without `?limit=` it is the default, too. */
  readonly max: number;
  /** Whether pages always have this size, and most lists fit on one. */
  readonly isFixed?: true;
  /** Whether pages have numbers, as in Ghost: for a list that the server reads whole anyway. */
  readonly isNumbered?: true;
}

/** The parameters of pages, in the order of the document. */
export const pageParameters = ({ isFixed, isNumbered }: Pages): readonly ('limit' | 'cursor' | 'page')[] =>
  isFixed ? ['cursor'] : ['limit', isNumbered ? 'page' : 'cursor'];

/** Returns the page size of `?limit=`: `max` by default and for `all`. @throws ValidationError */
export const readLimit = ({ limit }: SentQuery, max: number): number => {
  if (limit === undefined || limit === 'all') return max;
  const wanted = /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (wanted < 1 || wanted > max)
    throw invalidParameter(
      'limit',
      limit,
      'max_value',
      `must be a number from 1 to ${max}`,
      max,
      'Omit `limit`, or send a number in this range and follow `meta.pagination.next`.',
    );
  return wanted;
};

/** Returns the number in `?page=`: 1 by default. @throws ValidationError */
export const readPageNumber = ({ page = '1' }: SentQuery): number => {
  if (/^[1-9]\d{0,5}$/.test(page)) return Number(page);
  throw invalidParameter('page', page, 'min_value', 'must be a number from 1', 1);
};

/** Returns the cursor that continues after this id. It is bound to the `scope`: the list and its filters. */
const writeCursor = (scope: string, id: string): string =>
  Buffer.from(JSON.stringify([scope, id])).toString('base64url');

/** Returns the id in `?cursor=`, undefined without one. @throws ValidationError */
export const readCursor = ({ cursor }: SentQuery, scope: string): string | undefined => {
  if (cursor === undefined) return undefined;
  const [ofScope, id] = parts(cursor);
  if (ofScope === scope && typeof id === 'string' && isId(id)) return id;
  throw new ValidationError('`cursor` does not belong to this list.', {
    property: 'cursor',
    help:
      'Send `meta.pagination.next` of the previous page unchanged and with the same filters, or omit `cursor` for ' +
      'the first page.',
    details: [{ index: null, field: 'cursor', rule: 'cursor', limit: null, received: describe(cursor) }],
  });
};

/** Returns a page's `meta`: size, next cursor (null at the end), and how far an unfinished search went (epoch ms). */
export const paginated = (scope: string, limit: number, next: string | null, searchedTo?: number, meta?: object) => ({
  meta: {
    ...meta,
    pagination: {
      limit,
      next: next && writeCursor(scope, next),
      ...(searchedTo !== undefined && { searched_to: timestamp(searchedTo) }),
    },
  },
});

/** Returns the `meta` of a numbered page, as Ghost has it. */
export const numbered = (page: number, limit: number, total: number) => {
  const pages = Math.max(1, Math.ceil(total / limit));
  const [next, prev] = [page < pages ? page + 1 : null, page > 1 ? page - 1 : null];
  return { meta: { pagination: { page, limit, pages, total, next, prev } } };
};

const parts = (cursor: string): readonly unknown[] => {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
};
