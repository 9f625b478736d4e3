/** How long to wait before data is read again: not long while somebody watches it change, up to a minute otherwise. */

const minute = 60_000;

/** Each pause in which nothing happens is so many times as long as the one before. */
const growth = 1.5;

/** After the last touch, a reader still watches for so long what changes, in ms. */
const watchedMs = 5 * minute;

/** An answer that takes long costs much, so the pause before the next request is at least so many times as long. */
const restFactor = 4;

interface Round {
  /** The shortest pause, in ms. */
  readonly everyMs: number;
  /** The longest, in ms; a minute by default. */
  readonly atMostMs?: number | undefined;
  /** The pause before this round, in ms; undefined for the first one. */
  readonly pauseMs: number | undefined;
  readonly hasChanged: boolean;
  /** How long nobody has touched the page, in ms. */
  readonly untouchedMs: number;
  /** How long the answer took, in ms. */
  readonly tookMs: number;
}

/** Returns the pause before the next round, in ms. */
export const pauseAfter = ({ everyMs, atMostMs = minute, pauseMs, hasChanged, untouchedMs, tookMs }: Round): number => {
  const isWatched = hasChanged && untouchedMs < watchedMs;
  const wanted = isWatched || pauseMs === undefined ? everyMs : pauseMs * growth;
  return Math.max(Math.min(wanted, Math.max(atMostMs, everyMs)), restFactor * tookMs);
};
