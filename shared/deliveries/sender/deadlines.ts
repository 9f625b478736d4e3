/** The deadlines of running requests. One timer serves all of them, because one for each took a thirtieth of a delivery's CPU time. */
import { createAlarm } from '../../foundation/alarm.ts';
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
  const alarm = createAlarm((now) => {
    for (const exchange of [...running]) if (exchange.deadline <= now) onDeadline(exchange);
    for (const { deadline } of running) alarm.wakeAt(deadline, now);
  });

  return {
    set: (exchange, from, ms) => {
      exchange.deadline = from + ms;
      running.add(exchange);
      alarm.wakeAt(exchange.deadline, from);
    },
    remove: (exchange) => {
      running.delete(exchange);
      if (running.size === 0) alarm.stop();
    },
  };
};
