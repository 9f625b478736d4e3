/** Pages of a list: `?limit=` and `?cursor=`, and `meta.pagination.next` (docs/compatibility.md, "Lists"). */
import { ValidationError } from '../foundation/errors.ts';
import { describe } from './items.ts';
import { invalidParameter } from './parameters.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** Returns the page size of `?limit=`: `max` by default and for `all`. @throws ValidationError */
export const readLimit = ({ limit }: Query, max: number): number => {
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

/** Returns the cursor that continues after `place`. It is bound to the `scope`: the list and its filters. */
const writeCursor = (scope: string, place: string): string =>
  Buffer.from(JSON.stringify([scope, place])).toString('base64url');

/** Returns the place of `?cursor=`, undefined without one; `isPlace` checks its format. @throws ValidationError */
export const readCursor = <Place extends string>(
  { cursor }: Query,
  scope: string,
  isPlace: (text: string) => text is Place,
): Place | undefined => {
  if (cursor === undefined) return undefined;
  const [ofScope, place] = parts(cursor);
  if (ofScope === scope && typeof place === 'string' && isPlace(place)) return place;
  throw new ValidationError('`cursor` does not belong to this list.', {
    property: 'cursor',
    help: 'Send `meta.pagination.next` of the previous page unchanged and with the same filters, or omit `cursor` for the first page.',
    details: [{ index: null, field: 'cursor', rule: 'cursor', limit: null, received: describe(cursor) }],
  });
};

/** Returns the `meta` of a page: its size, and the cursor of the next page, null on the last. */
export const paginated = (scope: string, limit: number, next: string | null) => ({
  meta: { pagination: { limit, next: next && writeCursor(scope, next) } },
});

const parts = (cursor: string): readonly unknown[] => {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
};
