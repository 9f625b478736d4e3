/** The deadlines of running requests. One timer serves all of them, because one for each took a thirtieth of a delivery's CPU time. */
import type { Exchange } from './exchange.ts';

export interface Deadlines {
  /** Replaces the deadline of an exchange by one in `ms` from a time (`performance.now()`). */
  readonly set: (exchange: Exchange, from: number, ms: number) => void;
  /** Removes the deadline of an exchange that has ended. */
  readonly remove: (exchange: Exchange) => void;
}

/**
 * Makes the deadlines of a sender.
 * @param onDeadline ends an exchange, or sets its next deadline
 */
export const createDeadlines = (onDeadline: (exchange: Exchange) => void): Deadlines => {
  const running = new Set<Exchange>();
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
    wakesAt = Number.POSITIVE_INFINITY;
    for (const exchange of running) if (exchange.deadline <= now) onDeadline(exchange);
    for (const { deadline } of running) wakeAt(deadline, now);
  };

  return {
    set: (exchange, from, ms) => {
      exchange.deadline = from + ms;
      running.add(exchange);
      wakeAt(exchange.deadline, from);
    },
    remove: (exchange) => {
      running.delete(exchange);
      if (running.size > 0) return;
      clearTimeout(timer);
      wakesAt = Number.POSITIVE_INFINITY;
    },
  };
};
