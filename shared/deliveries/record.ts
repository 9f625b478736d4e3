/** Records successes together: those that end within a moment share one request to the table. */
import type { Delivery } from './delivery.ts';

/** A success is written at the latest so many ms after its answer, however long the rest of the batch takes. */
const patienceMs = 50;

export interface SuccessRecorder {
  /** Say that an attempt is under way, and that it has ended. */
  readonly begin: () => void;
  readonly end: () => void;
  /** Resolves when the delivery is recorded. */
  readonly record: (delivery: Delivery) => Promise<void>;
}

/** Makes a recorder for one batch. It writes when no attempt is under way any more, or when its patience ends. */
export const successRecorder = (write: (deliveries: readonly Delivery[]) => Promise<void>): SuccessRecorder => {
  let underWay = 0;
  let waiting: { delivery: Delivery; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const flushed = waiting;
    waiting = [];
    if (flushed.length === 0) return;
    write(flushed.map(({ delivery }) => delivery)).then(
      () => {
        for (const { resolve } of flushed) resolve();
      },
      (error: unknown) => {
        for (const { reject } of flushed) reject(error);
      },
    );
  };

  return {
    begin: () => {
      underWay++;
    },
    end: () => {
      underWay--;
      if (waiting.length >= underWay) flush();
    },
    record: (delivery) =>
      new Promise((resolve, reject) => {
        waiting.push({ delivery, resolve, reject });
        if (waiting.length >= underWay) flush();
        else timer ??= setTimeout(flush, patienceMs);
      }),
  };
};
