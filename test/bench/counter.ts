/** Counts what arrives at receivers in a process of their own, whose work is therefore not the stack's. */
import { fork } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Arrival, Order, Told } from './counting-receiver.ts';

export interface Counter {
  /** One for each receiver. */
  readonly origins: readonly string[];
  /** What has arrived since the last `forget`. */
  readonly arrivals: () => readonly Arrival[];
  readonly forget: () => void;
  /** Resolves when so many have arrived since the last `forget`, or when so many ms are over. */
  readonly arrived: (count: number, withinMs: number) => Promise<void>;
  /** Resolves with the time of the last of so many deliveries of a title. @throws Error where two went to one target */
  readonly all: (title: string, count: number) => Promise<number>;
  /** Whether the receiver leaves everything without an answer from now on. */
  readonly hang: (origin: string, hangs: boolean) => void;
  readonly stop: () => void;
}

const originOf = (port: number): string => `http://127.0.0.1:${port}`;

/** Where a delivery went: a webhook of this benchmark has a path of its own at its receiver. */
export const targetOf = ({ port, path }: Arrival): string => originOf(port) + path;

/** Starts so many receivers. */
export async function startCounter(receivers = 1): Promise<Counter> {
  const child = fork(new URL('counting-receiver.ts', import.meta.url), [String(receivers)], { stdio: 'inherit' });
  const ports = new Promise<readonly number[]>((resolve) => {
    child.on('message', (told: Told) => {
      if (told.kind === 'ready') resolve(told.ports);
      else {
        arrivals.push(...told.arrivals);
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
    hang: (origin, hangs) => child.send({ port: Number(new URL(origin).port), hangs } satisfies Order),
    stop() {
      child.disconnect();
    },
  };
}
