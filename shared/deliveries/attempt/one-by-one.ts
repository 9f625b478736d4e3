/**
 * Keeps the filters and templates of a batch from blocking its other deliveries. Each can take milliseconds. Without pauses,
 * sockets and timers would wait until working connections fail.
 */

/** Returns a function whose promises resolve one by one. Before each, the event loop serves sockets and timers. */
export const oneByOne = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => {
    last = last.then(nextRound);
    return last;
  };
};

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
