/** Distances in time, in the unit that people would use. */

const units = [
  ['second', 1000, 60],
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, Number.POSITIVE_INFINITY],
] as const;

/**
 * Returns how far a time is from now, both in epoch ms: negative in the past. The future is rounded, so that seven days
 * are not six two seconds later; the past is cut, so that nothing seems older than it is.
 */
export const distanceTo = (
  at: number,
  now: number,
): { readonly count: number; readonly unit: (typeof units)[number][0] } => {
  const round = at > now ? Math.round : Math.trunc;
  for (const [unit, ms, max] of units) {
    const count = round((at - now) / ms);
    if (Math.abs(count) < max) return { count, unit };
  }
  return { count: 0, unit: 'second' };
};

/** Returns when something was last used, in ISO. The API has it to the hour, which may be before the creation. */
export const lastUse = (created: string, used: string | null): string | null =>
  used !== null && used < created ? created : used;
