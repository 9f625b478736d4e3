/** Pages of a list: `?limit=` and `?cursor=`, and the `meta` that leads to the next page (wire contract, section 3). */
import { ValidationError } from '../foundation/errors.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** How many items `?limit=` asks for: `most` without it, and for `all`. @throws ValidationError */
export const readLimit = ({ limit }: Query, most: number): number => {
  if (limit === undefined || limit === 'all') return most;
  const wanted = /^\d{1,6}$/.test(limit) ? Number(limit) : 0;
  if (wanted < 1 || wanted > most)
    throw new ValidationError(`\`limit=${limit.slice(0, 20)}\` is not a number from 1 to ${most}.`, {
      property: 'limit',
      help: 'Leave it out, or send a smaller number and follow `meta.pagination.next`.',
      details: [{ index: null, field: 'limit', rule: 'max_value', limit: most, received: textOf(limit) }],
    });
  return wanted;
};

/**
 * A cursor that goes on behind `place`; it is good for lists of this `scope` only (what is listed and how it is filtered), so
 * that a cursor of one list cannot be taken for that of another.
 */
export const writeCursor = (scope: string, place: string): string =>
  Buffer.from(JSON.stringify([scope, place])).toString('base64url');

/** The place in `?cursor=`: undefined where there is none. `isPlace` says what a place of this list looks like. @throws ValidationError */
export const readCursor = <Place extends string>(
  { cursor }: Query,
  scope: string,
  isPlace: (text: string) => text is Place,
): Place | undefined => {
  if (cursor === undefined) return undefined;
  const [ofScope, place] = parts(cursor);
  if (ofScope === scope && typeof place === 'string' && isPlace(place)) return place;
  throw new ValidationError('`cursor` is not one that was given for this list.', {
    property: 'cursor',
    help: 'Send the `next` of the page before as it is and with the same filters, or leave it out for the first page.',
    details: [{ index: null, field: 'cursor', rule: 'cursor', limit: null, received: textOf(cursor) }],
  });
};

const parts = (cursor: string): readonly unknown[] => {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
};

const textOf = (value: string): string => `a string of ${value.length} characters`;
