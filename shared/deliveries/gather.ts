/** Gathers what comes within a moment, so that it shares one request, and fails together where that fails. */

export interface Gatherer<T> {
  /** Resolves when it is written, with all that came within the same moment; rejects with what `write` rejects with, as they all do. */
  readonly add: (item: T) => Promise<void>;
  /** Writes now what has been gathered. */
  readonly flush: () => void;
}

/** Makes a gatherer that writes, with a function that rejects and never throws, so many ms after the first of its items at the latest. */
export const gatherer = <T>(write: (items: readonly T[]) => Promise<void>, patienceMs: number): Gatherer<T> => {
  let items: T[] = [];
  /** Of those that wait now. */
  let written = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (items.length === 0) return;
    write(items).then(written.resolve, written.reject);
    items = [];
    written = Promise.withResolvers();
  };

  return {
    add: (item) => {
      items.push(item);
      timer ??= setTimeout(flush, patienceMs);
      return written.promise;
    },
    flush,
  };
};
