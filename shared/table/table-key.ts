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

/** Returns whether two keys are those of one item. */
export const isSameKey = (one: Key, other: Key): boolean => one.pk === other.pk && one.sk === other.sk;

/** Returns each of these keys once: DynamoDB refuses a batch that names a key twice. */
export const distinct = (keys: readonly Key[]): Key[] => [
  ...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values(),
];
