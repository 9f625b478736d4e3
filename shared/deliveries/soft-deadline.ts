/** Notices an attempt that is unanswered for too long, while it goes on. */

/** A timer that fires later than this after its time shows that our own process stood still, and says nothing about the receiver. */
const stalledMs = 100;

/** Calls back once after so many ms; returns a function that cancels. Time in which our own process got no CPU is not counted. */
export const softDeadline = (ms: number, onLate: () => void): (() => void) => {
  let armedAt = performance.now();
  let isOver = false;
  const look = (): void => {
    if (performance.now() - armedAt > ms + stalledMs) {
      armedAt = performance.now();
      timer = setTimeout(look, ms);
      return;
    }
    // Behind the answers that have come already and were not read yet.
    setImmediate(() => {
      if (!isOver) onLate();
    });
  };
  let timer = setTimeout(look, ms);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
};
