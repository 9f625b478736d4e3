/** Caches of an environment. They are bounded, and drop the oldest entry when the limit is reached. */

interface Limits {
  /** The maximum number of entries, or the maximum sum of their weights. */
  readonly max: number;
}

interface Cache<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  readonly set: (key: Key, value: Value, weight?: number) => void;
  readonly remove: (key: Key) => void;
}

/** Creates an empty cache. */
export const createCache = <Key, Value>({ max }: Limits): Cache<Key, Value> => {
  const entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  let total = 0;
  const remove = (key: Key): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => entries.get(key)?.value,
    set: (key, value, weight = 1) => {
      remove(key);
      for (const oldest of entries.keys()) {
        if (total + weight <= max) break;
        remove(oldest);
      }
      entries.set(key, { value, weight });
      total += weight;
    },
    remove,
  };
};

/** Returns a function that computes the value of a key once and caches it; errors of `compute` are not cached. */
export const memoized = <T extends object | string | null>(compute: (key: string) => T): ((key: string) => T) => {
  const cache = createCache<string, T>({ max: 1000 });
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
};
