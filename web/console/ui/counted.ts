/** Formats a count; a plus follows if the list was not read to its end. */

/** @param count formats a number in the reader's language */
export const countText = (rows: number, hasMore: boolean, count: (value: number) => string): string =>
  `${count(rows)}${hasMore ? '+' : ''}`;
