/** Detects attempts without a response at the soft deadline, while they continue. One timer serves all attempts of a batch, which start together. */

/** A timer that fires later than this shows that our own process was stalled, and is no finding about the receivers. */
const stalledMs = 100;

interface Watched {
  /** By `performance.now()`. */
  since: number;
  readonly softMs: number;
  readonly onLate: () => void;
  isOver: boolean;
}

export interface SoftDeadlines {
  /** Calls back once if the attempt has not ended after a number of ms. */
  readonly watch: (softMs: number, onLate: () => void) => Watched;
  /** Ends the timer: no attempt is running. */
  readonly stop: () => void;
}

/** Watches the attempts of one batch. */
export const softDeadlines = (): SoftDeadlines => {
  let watched: Watched[] = [];
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;

  const wakeAt = (time: number, now: number): void => {
    if (time >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = time;
    timer = setTimeout(look, time - now);
  };

  const look = (): void => {
    const now = performance.now();
    const hasStalled = now > wakesAt + stalledMs;
    wakesAt = Number.POSITIVE_INFINITY;
    watched = watched.filter(({ isOver }) => !isOver);
    for (const attempt of watched) {
      if (hasStalled) attempt.since = now;
      const until = attempt.since + attempt.softMs;
      if (until > now) wakeAt(until, now);
      // After the responses that have arrived and were not read yet.
      else setImmediate(() => report(attempt));
    }
  };

  const report = (attempt: Watched): void => {
    if (attempt.isOver) return;
    attempt.isOver = true;
    attempt.onLate();
  };

  return {
    watch: (softMs, onLate) => {
      const since = performance.now();
      const attempt = { since, softMs, onLate, isOver: false };
      watched.push(attempt);
      wakeAt(since + softMs, since);
      return attempt;
    },
    stop: () => {
      clearTimeout(timer);
      wakesAt = Number.POSITIVE_INFINITY;
      watched = [];
    },
  };
};
