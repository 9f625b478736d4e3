/** One timer for many times, which wakes at the earliest of them: a timer for each costs more than what it waits for. */

export interface Alarm {
  /** Wakes at this time at the latest; both times by `performance.now()`. */
  readonly wakeAt: (time: number, now: number) => void;
  readonly stop: () => void;
}

/**
 * Makes an alarm.
 * @param onWake receives the current time and the one at which it should have woken, in ms by `performance.now()`; it sets the next one
 */
export const createAlarm = (onWake: (now: number, due: number) => void): Alarm => {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  const wake = (): void => {
    const due = wakesAt;
    wakesAt = Number.POSITIVE_INFINITY;
    onWake(performance.now(), due);
  };
  return {
    wakeAt: (time, now) => {
      if (time >= wakesAt) return;
      clearTimeout(timer);
      wakesAt = time;
      timer = setTimeout(wake, time - now);
    },
    stop: () => {
      clearTimeout(timer);
      wakesAt = Number.POSITIVE_INFINITY;
    },
  };
};
