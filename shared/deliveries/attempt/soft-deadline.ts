/** Detects an attempt without a response at its soft deadline, while it continues. */

/** If a timer fires later than this, our own process was stalled, so the delay says nothing about the receiver. */
const stalledMs = 100;

/** How far a busy event loop extends a deadline, as a factor: fifty new connections take half a second. */
const maxTimes = 3;

const loopIdleMs = (): number => performance.eventLoopUtilization().idle;

/**
 * Watches a receiver for its soft deadline. `begin` restarts the clock: first for the connection, then for the answer.
 * @returns `end` stops watching, and returns whether the receiver was late
 */
export const watchReceiver = (softMs: number, onLate: () => void) => {
  let stopWatching = (): boolean => false;
  return {
    begin: (): void => {
      if (!stopWatching()) stopWatching = watchAttempt(softMs, onLate);
    },
    end: (): boolean => stopWatching(),
  };
};

/**
 * Watches an attempt, and calls back once if it has not ended after so many ms of an idle event loop: while the loop
 * is busy, a response may have arrived unread.
 * @returns a function that stops watching, and returns whether the attempt was late
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
    // First handle responses that have arrived but were not read yet.
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
