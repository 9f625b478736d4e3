/** Batches items that are written at nearly the same time into one request, which succeeds or fails for all of them. */

export interface BatchedWrite<T> {
  /** Resolves when the item's batch is written; rejects if that write fails. */
  readonly add: (item: T) => Promise<void>;
  readonly flush: () => void;
}

/** Returns a batched write. `write` rejects and never throws; the first item waits up to `maxWaitMs` for others. */
export const batchedWrite = <T>(write: (items: readonly T[]) => Promise<void>, maxWaitMs: number): BatchedWrite<T> => {
  let items: T[] = [];
  /** Settles with the current batch. */
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
