/** Notices attempts that are unanswered for too long, while they go on. One timer serves all attempts of a batch, which begin together. */

/** A timer that fires later than this after its time shows that our own process stood still, and says nothing about the receivers. */
const stalledMs = 100;

interface Watched {
  /** By `performance.now()`. */
  since: number;
  readonly softMs: number;
  readonly onLate: () => void;
  isOver: boolean;
}

export interface SoftDeadlines {
  /** Calls back once where the attempt is not over after so many ms. */
  readonly watch: (softMs: number, onLate: () => void) => Watched;
  /** Ends the timer: no attempt is under way. */
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
      // Behind the answers that have come already and were not read yet.
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
