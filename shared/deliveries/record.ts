/** Records successes together: those that end within a moment share one request to the table. */
import type { Delivery } from './delivery.ts';

/** A success is written at the latest so many ms after its answer, however long the rest of the batch takes. */
const patienceMs = 50;

export interface SuccessRecorder {
  /** Say that an attempt is under way, and that its answer is there and, where it was a success, recorded. */
  readonly begin: () => void;
  readonly end: () => void;
  /** Resolves when the delivery is in the table. */
  readonly record: (delivery: Delivery) => Promise<void>;
}

/** Makes a recorder for one batch. It writes when no attempt is under way any more, or when its patience ends. */
export const successRecorder = (write: (deliveries: readonly Delivery[]) => Promise<void>): SuccessRecorder => {
  let underWay = 0;
  let waiting: Delivery[] = [];
  /** Of those that wait now, which are written together. */
  let written = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    write(waiting).then(written.resolve, written.reject);
    waiting = [];
    written = Promise.withResolvers();
  };

  return {
    begin: () => {
      underWay++;
    },
    end: () => {
      underWay--;
      if (underWay === 0) flush();
    },
    record: (delivery) => {
      waiting.push(delivery);
      timer ??= setTimeout(flush, patienceMs);
      return written.promise;
    },
  };
};
