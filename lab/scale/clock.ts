/** A clock without real time: runs actions in order of their time. Synchronous, so that millions of them take seconds. */
import { randomNumbers } from '../../infra/emulator/proxy/random.ts';
import { Agenda } from '../world/agenda.ts';

export class Clock {
  /** Milliseconds since the start. */
  now = 0;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  private readonly agenda = new Agenda();
  private order = 0;

  constructor(seed: number) {
    this.random = randomNumbers(seed);
  }

  after(ms: number, act: () => void): void {
    this.order++;
    this.agenda.push({ at: this.now + ms, order: this.order, act });
  }

  /** Repeats an action until `untilMs`. */
  every(ms: number, untilMs: number, act: () => void): void {
    const step = () => {
      act();
      if (this.now + ms <= untilMs) this.after(ms, step);
    };
    this.after(ms, step);
  }

  /** Runs what is scheduled up to a time, or until `isOver` returns true. */
  run(untilMs: number, isOver: () => boolean = () => false): void {
    for (let task = this.agenda.pop(); task !== undefined; task = this.agenda.pop()) {
      if (task.at > untilMs) return;
      this.now = task.at;
      task.act?.();
      if (isOver()) return;
    }
  }
}
