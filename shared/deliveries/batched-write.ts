/** Collects what is to be written within a moment, so that it shares one request, and fails together where that fails. */

export interface BatchedWrite<T> {
  /** Resolves when the item is written, with all others of the same moment; rejects as their write does. */
  readonly add: (item: T) => Promise<void>;
  /** Writes now what has been collected. */
  readonly flush: () => void;
}

/**
 * Returns a batched write.
 * @param write rejects and never throws
 * @param maxWaitMs the longest that the first item of a batch waits for others
 */
export const batchedWrite = <T>(write: (items: readonly T[]) => Promise<void>, maxWaitMs: number): BatchedWrite<T> => {
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
      timer ??= setTimeout(flush, maxWaitMs);
      return written.promise;
    },
    flush,
  };
};
