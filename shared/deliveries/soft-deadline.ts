/** Detects attempts without a response at the soft deadline, while they continue. One timer serves all attempts of a batch, which start together. */

import { createAlarm } from '../foundation/alarm.ts';

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
  const alarm = createAlarm((now, due) => {
    const hasStalled = now > due + stalledMs;
    watched = watched.filter(({ isOver }) => !isOver);
    for (const attempt of watched) {
      if (hasStalled) attempt.since = now;
      const until = attempt.since + attempt.softMs;
      if (until > now) alarm.wakeAt(until, now);
      // After the responses that have arrived and were not read yet.
      else setImmediate(() => report(attempt));
    }
  });

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
      alarm.wakeAt(since + softMs, since);
      return attempt;
    },
    stop: () => {
      alarm.stop();
      watched = [];
    },
  };
};
