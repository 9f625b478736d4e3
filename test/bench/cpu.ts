/** CPU of this process for what it does, and the middle of what varies. */

/** Repeats `act`, which gives how many requests it made, until there were so many; gives µs of CPU a request. */
export async function cpuPerRequest(act: () => Promise<number>, requests: number): Promise<number> {
  const before = process.cpuUsage();
  let made = 0;
  while (made < requests) made += await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / made;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
