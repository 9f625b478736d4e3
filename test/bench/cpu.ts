/** CPU of this process for what it does, and the middle of what varies. */

/**
 * Repeats `act`, which gives how many requests it made, until there were so many; gives µs of CPU a request. What `prepare`
 * does before each is not counted.
 */
export async function cpuPerRequest(
  act: () => Promise<number>,
  requests: number,
  prepare = (): void => {},
): Promise<number> {
  let used = 0;
  let made = 0;
  while (made < requests) {
    prepare();
    const before = process.cpuUsage();
    made += await act();
    const { user, system } = process.cpuUsage(before);
    used += user + system;
  }
  return used / made;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
