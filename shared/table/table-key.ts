/** What every item has: the key that it is found by. */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A whole item, as it is written. */
export interface Item extends Key {
  readonly [attribute: string]: unknown;
}

/** Only the key of what may be a whole item. */
export const plain = ({ pk, sk }: Key): Record<string, unknown> => ({ pk, sk });
