/** Detects attempts without a response at the soft deadline, while they continue. One timer serves all attempts of a batch, which start together. */
import { createAlarm } from '../../foundation/alarm.ts';

/** A timer that fires later than this shows that our own process was stalled, and is no finding about the receivers. */
const stalledMs = 100;

/**
 * A busy event loop postpones a soft deadline to at most so many times its ms. A new environment, which opens fifty connections with
 * a third of a CPU, is busy for half a second (`npm run bench:handshakes`).
 */
const maxTimes = 3;

interface Watched {
  /** By `performance.now()`. */
  since: number;
  /** By the clock of the event loop's idle time. */
  idleSince: number;
  readonly softMs: number;
  readonly onLate: () => void;
  /** Whether it has ended or was reported as late. */
  isOver: boolean;
}

export interface SoftDeadlines {
  /** Calls back once if the attempt has not ended after a number of ms in which the event loop was idle. */
  readonly watch: (softMs: number, onLate: () => void) => Watched;
  /** Ends the timer: no attempt is running. */
  readonly stop: () => void;
}

/** Ends the watch of an attempt, which is not reported any more. Returns whether it was. */
export const endWatch = (attempt: Watched): boolean => {
  const wasLate = attempt.isOver;
  attempt.isOver = true;
  return wasLate;
};

/** Returns for how many ms the event loop has waited for something to do. */
const loopIdleMs = (): number => performance.eventLoopUtilization().idle;

/** Watches the attempts of one batch. Only idle time counts: while the event loop is busy, a response may have arrived that was not read yet. */
export const softDeadlines = (idleMs = loopIdleMs): SoftDeadlines => {
  let watched: Watched[] = [];
  const alarm = createAlarm((now, due) => {
    const idle = idleMs();
    const hasStalled = now > due + stalledMs;
    watched = watched.filter(({ isOver }) => !isOver);
    for (const attempt of watched) {
      if (hasStalled) {
        attempt.since = now;
        attempt.idleSince = idle;
      }
      const { since, idleSince, softMs } = attempt;
      const restMs = Math.min(idleSince + softMs - idle, since + maxTimes * softMs - now);
      if (restMs > 0) alarm.wakeAt(now + restMs, now);
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
      const attempt = { since, idleSince: idleMs(), softMs, onLate, isOver: false };
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
