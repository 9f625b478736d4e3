/**
 * A world in which nothing takes real time: a clock, a list of what happens next, and random numbers, all from one seed, so
 * that days pass in moments and each run can be repeated. While it runs, `Date.now`, timers and `Math.random` are its own.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** One run of a function; once dead, nothing that it still does has any effect. */
export interface Run {
  readonly functionName: string;
  /** Epoch ms. */
  readonly startedAt: number;
  dead: boolean;
  /** Is asked before and after each of its calls whether it dies there. */
  readonly onStep: () => void;
}

/** Asked afresh each time: a run may die between two questions. */
export const isDead = (run: Run | undefined): boolean => run?.dead === true;

interface Task {
  readonly at: number;
  readonly order: number;
  act: (() => void) | undefined;
}

const real = { now: Date.now, setTimeout, clearTimeout, random: Math.random };

/** While it runs, the world whose random numbers `Math.random` gives. */
let living: World | undefined;
// For good, and not only while a world runs: modules keep the function that they find when they are loaded.
Math.random = () => (living === undefined ? real.random() : living.random());

export class World {
  /** Epoch ms. */
  now: number;
  readonly random: () => number;
  private readonly tasks: Task[] = [];
  private readonly runs = new AsyncLocalStorage<Run>();
  private count = 0;

  constructor(seed: number, now: number) {
    this.now = now;
    this.random = randomNumbers(seed);
  }

  /** The run that this code is part of. */
  get run(): Run | undefined {
    return this.runs.getStore();
  }

  within<T>(run: Run, act: () => T): T {
    return this.runs.run(run, act);
  }

  /** Does something after so many ms. */
  after(ms: number, act: () => void): Task {
    this.count++;
    const task = { at: this.now + Math.max(0, ms), order: this.count, act };
    push(this.tasks, task);
    return task;
  }

  /** A number between the two. */
  between(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  /** Resolves after so many ms, for whoever is alive then. */
  sleep(ms: number): Promise<void> {
    const { run } = this;
    return new Promise((resolve) => {
      this.after(ms, () => {
        if (!isDead(run)) resolve();
      });
    });
  }

  /** Lets what is to happen happen, in its order, until `isOver` says so or nothing is left. */
  async live(isOver: () => boolean): Promise<void> {
    this.takeOver();
    try {
      for (let task = pop(this.tasks); task !== undefined; task = pop(this.tasks)) {
        if (task.act === undefined) continue;
        this.now = task.at;
        task.act();
        // All that follows from it without waiting is done before the next thing happens.
        await new Promise(setImmediate);
        if (isOver()) return;
      }
    } finally {
      Object.assign(Date, { now: real.now });
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      living = undefined;
    }
  }

  private takeOver(): void {
    Date.now = () => this.now;
    living = this;
    Object.assign(globalThis, {
      setTimeout: (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
        const { run } = this;
        return this.after(ms, () => {
          if (run === undefined) act(...args);
          else if (!run.dead) this.within(run, () => act(...args));
        });
      },
      clearTimeout: (task: Task | undefined) => {
        if (task !== undefined) task.act = undefined;
      },
    });
  }
}

let current: World | undefined;

/** The world that the simulated parts belong to. */
export const world = (): World => {
  if (current === undefined) throw new Error('There is no world yet.');
  return current;
};

export const makeWorld = (seed: number, now: number): World => {
  current = new World(seed, now);
  return current;
};

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const isBefore = (a: Task, b: Task): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap: the next task is at its top. */
function push(heap: Task[], task: Task): void {
  let at = heap.length;
  heap.push(task);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = heap[above];
    if (other === undefined || !isBefore(task, other)) break;
    heap[at] = other;
    at = above;
  }
  heap[at] = task;
}

function pop(heap: Task[]): Task | undefined {
  const [top] = heap;
  const last = heap.pop();
  if (top === undefined || last === undefined || heap.length === 0) return top;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    let other = heap[below];
    const right = heap[below + 1];
    if (other === undefined) break;
    if (right !== undefined && isBefore(right, other)) {
      below++;
      other = right;
    }
    if (!isBefore(other, last)) break;
    heap[at] = other;
    at = below;
  }
  heap[at] = last;
  return top;
}
