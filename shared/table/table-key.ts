/** The key of an item. */

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** A whole item, as it is written. */
export interface Item extends Key {
  readonly [attribute: string]: unknown;
}

/** Returns only the key of a key or whole item. */
export const plain = ({ pk, sk }: Key): Record<string, unknown> => ({ pk, sk });
