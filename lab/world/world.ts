/** A world without real time, from one seed: days pass in seconds, and each run can be repeated. */
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';
import { Agenda, type Task } from './agenda.ts';

export class World {
  /** Epoch ms. */
  now: number;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** The same for keys and ids, which must differ even if a test fixes `random`. */
  readonly entropy: () => number;
  private readonly agenda = new Agenda();
  private count = 0;

  constructor(seed: number, now: number) {
    this.now = now;
    this.random = randomNumbers(seed);
    this.entropy = randomNumbers(seed + 1_000_000);
  }

  /** Schedules an action after a delay in ms; `cancel` removes it. */
  after(ms: number, act: () => void): Task {
    this.count++;
    const task = { at: this.now + Math.max(0, ms), order: this.count, act };
    this.agenda.push(task);
    return task;
  }

  cancel(task: Task | undefined): void {
    if (task !== undefined) task.act = undefined;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Returns a number between the two. */
  between(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  /** Returns true with this probability; draws no number for 0 and 1. */
  chance(probability: number): boolean {
    return probability > 0 && (probability >= 1 || this.random() < probability);
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)] as T;
  }

  /** Runs the scheduled actions in order until `isOver` returns true or nothing is left. */
  async live(isOver: () => boolean = () => false): Promise<void> {
    for (let task = this.agenda.pop(); task !== undefined; task = this.agenda.pop()) {
      if (task.act === undefined) continue;
      this.now = task.at;
      task.act();
      // All its microtasks run before the next task.
      await new Promise(setImmediate);
      if (isOver()) return;
    }
  }

  /** Runs until a promise has settled, and returns its value. @throws its reason, or Error if it never settles */
  async during<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = work.finally(() => {
      isSettled = true;
    });
    settled.catch(() => {});
    await new Promise(setImmediate);
    if (!isSettled) await this.live(() => isSettled);
    if (!isSettled) throw new Error('Nothing is scheduled, and the awaited promise has not settled.');
    return settled;
  }
}
