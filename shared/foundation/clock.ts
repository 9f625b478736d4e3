/** Time: units in milliseconds, timestamps, and a clock that tests can replace. */

/** Returns the time in epoch milliseconds, as every parameter `now` has it. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

let last = { ms: Number.NaN, text: '' };

/** Formats epoch ms as ISO 8601 in UTC with milliseconds. Caches the last result, as a batch often needs it again. */
export const timestamp = (ms: number): string => {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
};
