/** Time as a port: whoever needs the time takes a clock, so that ten days pass in a test in no time. */

/** Gives the time in epoch milliseconds. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

let last = { ms: Number.NaN, text: '' };

/** The contract's timestamp of a time in epoch ms: ISO 8601, UTC, milliseconds. A batch asks for the same one over and over. */
export const timestamp = (ms: number): string => {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
};
