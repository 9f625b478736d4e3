/** Waits for work that must not stop because other work fails. */

/** Waits until all have ended and returns their values; then rejects with the first error if there is one. */
export const settleAll = async <T>(work: readonly Promise<T>[]): Promise<T[]> => {
  const ends = await Promise.allSettled(work);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
};
