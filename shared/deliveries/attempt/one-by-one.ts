/**
 * Keeps filters and templates of one batch from blocking it. Each can take milliseconds; all those of a batch together would
 * delay the sockets and timers of other deliveries until good connections fail.
 */

/** Returns a function whose promises resolve one by one, with a round of the event loop, which serves sockets and timers, before each. */
export const oneByOne = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => {
    last = last.then(nextRound);
    return last;
  };
};

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
