/** Counts deliveries at receivers in a separate process, so that the stack is not charged with their CPU time. */
import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Arrival, Report } from './counting-receiver.ts';

export interface Counter {
  /** One origin for each receiver. */
  readonly origins: readonly string[];
  /** The deliveries since the last `forget`. */
  readonly arrivals: () => readonly Arrival[];
  readonly forget: () => void;
  /** Resolves when `count` deliveries have arrived since the last `forget`, or after the timeout in ms. */
  readonly arrived: (count: number, withinMs: number) => Promise<void>;
  /** Resolves with the time of the last of `count` deliveries with this title. @throws Error if one target got two */
  readonly all: (title: string, count: number) => Promise<number>;
  readonly stop: () => void;
}

const originOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Returns the target of a delivery: each webhook of a benchmark has its own path at its receiver. */
export const targetOf = ({ port, path }: Arrival): string => originOf(port) + path;

/** Measures with receivers, which end with the measurement, even after an error: they keep this process running. */
export const withCounter = async <T>(receivers: number, measure: (counter: Counter) => Promise<T>): Promise<T> => {
  const counter = await startCounter(receivers);
  try {
    return await measure(counter);
  } finally {
    counter.stop();
  }
};

const startCounter = async (receivers: number): Promise<Counter> => {
  const child = fork(new URL('counting-receiver.ts', import.meta.url), [String(receivers)], { stdio: 'inherit' });
  const ports = new Promise<readonly number[]>((resolve) => {
    child.on('message', (report: Report) => {
      if (report.kind === 'ready') resolve(report.ports);
      else {
        arrivals.push(...report.arrivals);
        for (const look of waiting) look();
      }
    });
  });
  let arrivals: Arrival[] = [];
  const waiting = new Set<() => void>();
  const until = (isDone: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isDone()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const of = (title: string) => arrivals.filter((arrival) => arrival.title === title);
  return {
    origins: (await ports).map(originOf),
    arrivals: () => arrivals,
    forget() {
      arrivals = [];
    },
    async arrived(count, withinMs) {
      await Promise.race([until(() => arrivals.length >= count), wait(withinMs, undefined, { ref: false })]);
    },
    async all(title, count) {
      await until(() => of(title).length >= count);
      const found = of(title);
      const targets = new Set(found.map(targetOf));
      if (targets.size !== count) throw new Error(`${count} deliveries went to ${targets.size} targets`);
      return Math.max(...found.map(({ at }) => at));
    },
    stop() {
      child.disconnect();
    },
  };
};
