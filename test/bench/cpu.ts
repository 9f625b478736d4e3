/** CPU of this process for what it does, and the middle of what varies. */

/** To ask for the CPU's time takes time itself. */
const actsAtOnce = 20;

/**
 * Repeats `act`, which gives how many requests it made, until there were so many; gives µs of CPU a request. What `prepare`
 * does, before every so many of them, is not counted.
 */
export async function cpuPerRequest(
  act: () => Promise<number>,
  requests: number,
  prepare = (_acts: number): void => {},
): Promise<number> {
  let used = 0;
  let made = 0;
  while (made < requests) {
    prepare(actsAtOnce);
    const before = process.cpuUsage();
    for (let acts = 0; acts < actsAtOnce; acts++) made += await act();
    const { user, system } = process.cpuUsage(before);
    used += user + system;
  }
  return used / made;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
