/** Detects an attempt without a response at its soft deadline, while it continues. */

/** A timer that fires later than this shows that our own process was stalled, and is no finding about the receiver. */
const stalledMs = 100;

/**
 * A busy event loop postpones a soft deadline to at most so many times its ms. A new environment, which opens fifty connections with
 * a third of a CPU, is busy for half a second (`npm --prefix lab run handshakes`).
 */
const maxTimes = 3;

/** Returns for how many ms the event loop has waited for something to do. */
const loopIdleMs = (): number => performance.eventLoopUtilization().idle;

/**
 * Watches a receiver, whose time can begin again: first for its connection, then for its answer. A webhook that is slow already is not watched.
 * @returns `end` ends the watch, and returns whether the receiver was late
 */
export const watchReceiver = (softMs: number | undefined, onLate: () => void) => {
  let endWatch = (): boolean => false;
  return {
    begin: (): void => {
      if (softMs !== undefined && !endWatch()) endWatch = watchAttempt(softMs, onLate);
    },
    end: (): boolean => endWatch(),
  };
};

/**
 * Watches an attempt, and calls back once if it has not ended after a number of ms in which the event loop was idle: while the loop is
 * busy, a response may have arrived that was not read yet.
 * @returns ends the watch, and returns whether the attempt was late
 */
export const watchAttempt = (softMs: number, onLate: () => void, idleMs = loopIdleMs): (() => boolean) => {
  let since = performance.now();
  let idleSince = idleMs();
  let isOver = false;
  let wasLate = false;
  let timer: NodeJS.Timeout;

  const wait = (ms: number): void => {
    const due = performance.now() + ms;
    timer = setTimeout(() => check(due), ms);
  };

  const check = (due: number): void => {
    const now = performance.now();
    const idle = idleMs();
    if (now > due + stalledMs) {
      since = now;
      idleSince = idle;
    }
    const restMs = Math.min(idleSince + softMs - idle, since + maxTimes * softMs - now);
    if (restMs > 0) wait(restMs);
    // After the responses that have arrived and were not read yet.
    else setImmediate(report);
  };

  const report = (): void => {
    if (isOver) return;
    wasLate = true;
    onLate();
  };

  wait(softMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
    return wasLate;
  };
};
