/** Writes a count of a list; one that was not read to its end is followed by a plus. */

/** @param count writes a number in the language of the reader */
export const countText = (rows: number, hasMore: boolean, count: (value: number) => string): string =>
  `${count(rows)}${hasMore ? '+' : ''}`;
