/** Limits concurrent work, because waiting for a connection inside an AWS client counts against its timeout. */

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

/** Makes a semaphore: the first `count` pieces of work start at once, each further one when another ends, in order. */
export const semaphore = (count: number): Semaphore => {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
};
